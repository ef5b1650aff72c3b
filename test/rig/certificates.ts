import { generate } from 'selfsigned';

type CertificateExtension = NonNullable<NonNullable<Parameters<typeof generate>[1]>['extensions']>[number];
type SubjectAltName = Extract<CertificateExtension, { name: 'subjectAltName' }>;

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
  /** Default: a key of an elliptic curve. */
  readonly rsaBits?: number;
  /** Default: sha256. */
  readonly algorithm?: 'sha1';
  /** False: the host name is only the common name. */
  readonly altNames?: false;
  /** Who signs it; default: itself. */
  readonly authority?: ServerCertificate;
  readonly usage?: 'client';
}

/** A server certificate: its own authority, unless another one signs it. */
export async function serverCertificate(options: CertificateOptions = {}): Promise<ServerCertificate> {
  const { name = 'localhost', notBefore = days(-2), notAfter = days(2), rsaBits, authority } = options;
  const extensions: CertificateExtension[] = [
    { name: 'basicConstraints', cA: authority === undefined, critical: true },
  ];
  if (options.altNames !== false) extensions.push({ name: 'subjectAltName', altNames: altNames(options.name) });
  if (options.usage === 'client') extensions.push({ name: 'extKeyUsage', clientAuth: true });
  const made = await generate([{ name: 'commonName', value: name }], {
    ...(rsaBits === undefined ? { keyType: 'ec' } : { keySize: rsaBits }),
    ...(authority !== undefined && { ca: { key: authority.key, cert: authority.cert } }),
    algorithm: options.algorithm ?? 'sha256',
    notBeforeDate: notBefore,
    notAfterDate: notAfter,
    extensions,
  });
  return { ca: authority?.cert ?? made.cert, key: made.private, cert: made.cert };
}

export function days(count: number): Date {
  return new Date(Date.now() + count * 86_400_000);
}

function altNames(name: string | undefined): SubjectAltName['altNames'] {
  if (name !== undefined) return [{ type: 2, value: name }];
  return [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
  ];
}
