/** What a ping checks, in this order; `answer`: to a request in the tenant. */
export type PingStep = 'name' | 'route' | 'TCP' | 'TLS' | 'sign-in' | 'version' | 'tenant' | 'answer';

/** The newest connection to a controller. Each fact is null if it is unknown, or there is none. */
export interface ConnectionFacts {
  /** The address that the name of the controller resolves to. Behind a proxy, only the proxy knows it. */
  readonly address: string | null;
  /** `route madrid`, `the proxy 127.0.0.1:1080` */
  readonly route: string | null;
  readonly tls: CertificateFacts | null;
}

export interface CertificateFacts {
  readonly protocol: string;
  /** The common name of the authority that signed the certificate, else its organization. */
  readonly issuer: string;
  /** ISO 8601 */
  readonly expires: string;
  readonly days_left: number;
}

/** What a ping found out about a controller, up to its first failure. */
export interface Ping extends ConnectionFacts {
  readonly url: string;
  readonly username: string;
  /** `basic` or `session` */
  readonly sign_in: string;
  /** That of the requests. */
  readonly api_version: string | null;
  /** The controller's own, where the dialect shows it. */
  readonly version: string | null;
  readonly tenant: string | null;
  /** The time of one request over an open connection. */
  readonly milliseconds: number | null;
  readonly failure: PingFailure | null;
}

export interface PingFailure {
  readonly step: PingStep;
  readonly message: string;
  readonly hint: string | null;
  readonly status: 'failed' | 'unreachable';
  /** As the request threw it. */
  readonly error: Error;
}
