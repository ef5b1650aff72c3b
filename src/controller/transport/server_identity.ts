import { isIP } from 'node:net';
import { checkServerIdentity, type DetailedPeerCertificate, type PeerCertificate } from 'node:tls';
import { ConnectionFailure } from '../exchange/connection_failure.js';

/** What NIST SP 800-131A and the CA/Browser Forum ask for. */
const LEAST_RSA_BITS = 2048;
const LEAST_CURVE_BITS = 224;

/**
 * Compares a certificate that a trusted authority signed with the name of the controller. Weaknesses that OpenSSL accepts
 * are refused if that is asked for, and otherwise passed to `onWeakness`.
 */
export function identityCheck(
  origin: string,
  refuses: boolean,
  onWeakness: (message: string) => void,
): (host: string, certificate: PeerCertificate) => Error | undefined {
  return (host, certificate) => {
    const problem = checkServerIdentity(host, certificate);
    const weakness = problem === undefined ? findWeakness(certificate, host) : undefined;
    if (weakness === undefined) return problem;
    const { what, instead } = weakness;
    if (!refuses) {
      onWeakness(`its certificate ${what}: install one ${instead} (controller_verify_tls: strict refuses this one)`);
      return undefined;
    }
    const message = `the certificate of ${origin} ${what}, which controller_verify_tls: strict refuses`;
    return new ConnectionFailure('certificate', message, `install a certificate ${instead}`);
  };
}

interface Weakness {
  readonly what: string;
  readonly instead: string;
}

function findWeakness(certificate: PeerCertificate, host: string): Weakness | undefined {
  const own = weakKey(certificate);
  if (own !== undefined) return own;
  if (isIP(host) === 0 && !/(?:^|, )DNS:/.test(certificate.subjectaltname ?? ''))
    return { what: 'names the controller only in its common name', instead: 'with the name in subjectAltName' };
  const weak = certificateChain(certificate).find((issuer) => weakKey(issuer) !== undefined);
  if (weak === undefined) return undefined;
  const { what = '' } = weakKey(weak) ?? {};
  return { what: `is signed by ${String(weak.subject.CN)}, which ${what}`, instead: 'of another authority' };
}

function weakKey({ bits, modulus }: PeerCertificate): Weakness | undefined {
  const isRsa = modulus !== undefined;
  const least = isRsa ? LEAST_RSA_BITS : LEAST_CURVE_BITS;
  if (bits === undefined || bits >= least) return undefined;
  const kind = isRsa ? 'an RSA key' : 'a key';
  return { what: `has ${kind} of only ${bits} bits`, instead: `with at least ${least} bits` };
}

/** Those that were read: only with the whole chain. The last is its own issuer. */
function certificateChain(certificate: PeerCertificate | DetailedPeerCertificate): readonly PeerCertificate[] {
  const issuer = 'issuerCertificate' in certificate ? certificate.issuerCertificate : undefined;
  return issuer === undefined || issuer === certificate ? [] : [issuer, ...certificateChain(issuer)];
}
