import { generate } from 'selfsigned';

export interface ServerCertificate {
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  /** Host name the certificate is for; default: 127.0.0.1 and localhost. */
  readonly name?: string;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** A self-signed server certificate, its own authority. */
export async function serverCertificate(options: CertificateOptions = {}): Promise<ServerCertificate> {
  const { name = 'localhost', notBefore = days(-2), notAfter = days(2) } = options;
  const address = options.name === undefined ? [{ type: 7, ip: '127.0.0.1' } as const] : [];
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: notBefore,
    notAfterDate: notAfter,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }, ...address] },
    ],
  });
  return { ca: made.cert, key: made.private, cert: made.cert };
}

export function days(count: number): Date {
  return new Date(Date.now() + count * 86_400_000);
}
