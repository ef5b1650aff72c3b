import { expect } from 'chai';
import { textOrEmpty } from '../../../src/simulator/protocol/exchange.js';
import { bareController } from '../../rig/bare_controller.js';

/** By kind: what every controller has from the start. */
const NAMES: Readonly<Record<string, string>> = {
  tenant: 'admin',
  cloud: 'Default-Cloud',
  serviceenginegroup: 'Default-Group',
  vrfcontext: 'global, management',
  network: '',
  healthmonitor: 'System-HTTP, System-HTTPS, System-Ping, System-TCP, System-UDP, System-DNS, System-Xternal-Shell',
  applicationprofile:
    'System-HTTP, System-Secure-HTTP, System-L4-Application, System-SSL-Application, System-DNS, System-Syslog',
  networkprofile: 'System-TCP-Proxy, System-TCP-Fast-Path, System-UDP-Fast-Path, System-UDP-Per-Pkt',
  applicationpersistenceprofile:
    'System-Persistence-Client-IP, System-Persistence-Http-Cookie, System-Persistence-Custom-Http-Header, System-Persistence-App-Cookie, System-Persistence-TLS',
  sslprofile: 'System-Standard, System-Standard-Portal',
  sslkeyandcertificate: 'System-Default-Cert, System-Default-Cert-EC, System-Default-Portal-Cert',
  analyticsprofile: 'System-Analytics-Profile',
  stringgroup: 'System-Compressible-Content-Types, System-Cacheable-Resource-Types',
  role: 'System-Admin, Tenant-Admin, Application-Admin, Application-Operator',
  user: 'admin',
  useraccountprofile: 'Default-User-Account-Profile, No-Lockout-User-Account-Profile',
  backupconfiguration: 'Backup-Configuration',
  wafprofile: 'System-WAF-Profile',
  wafpolicy: 'System-WAF-Policy',
  pool: '',
};

describe('a strict simulated controller has from the start', () => {
  it('the objects that every controller has, in the tenant admin unless they are of the whole controller', () => {
    const { object, list } = bareController('avi');
    for (const [kind, names] of Object.entries(NAMES)) {
      const found = list(`/api/${kind}?page_size=100`);
      expect(found.map(({ name }) => textOrEmpty(name)).join(', '), kind).to.equal(names);
      const tenants = new Set(found.map((one) => one['tenant_ref']));
      const isGlobal = ['tenant', 'user', 'role', 'useraccountprofile', 'backupconfiguration'].includes(kind);
      if (!isGlobal && names !== '') expect([...tenants], kind).to.deep.equal(['https://lb1/api/tenant/admin']);
    }
    const [policy] = list('/api/wafpolicy');
    const [profile] = list('/api/wafprofile');
    expect(policy).to.include({ mode: 'WAF_MODE_DETECTION_ONLY', waf_profile_ref: profile?.['url'] });
    for (const path of ['/api/cluster', '/api/systemconfiguration', '/api/seproperties', '/api/controllerproperties'])
      expect(object('GET', path), path).to.include({ uuid: 'default', url: `https://lb1${path}` });
  });

  it('nothing that can be deleted, while what was created can', () => {
    const { ask, list, object } = bareController('avi');
    object('POST', '/api/cloud', { name: 'vc', vtype: 'CLOUD_VCENTER' });
    const uuid = (kind: string, name: string): string => textOrEmpty(list(`/api/${kind}?name=${name}`)[0]?.['uuid']);
    for (const [kind, name] of [
      ['tenant', 'admin'],
      ['user', 'admin'],
      ['cloud', 'Default-Cloud'],
      ['serviceenginegroup', 'Default-Group'],
      ['vrfcontext', 'global'],
      ['vrfcontext', 'management'],
      ['network', 'VM Network'],
      ['backupconfiguration', 'Backup-Configuration'],
      ['healthmonitor', 'System-HTTP'],
    ] as const) {
      const { status, body } = ask('DELETE', `/api/${kind}/${uuid(kind, name)}`);
      expect([status, body], `${kind} ${name}`).to.deep.equal([403, { error: 'Cannot delete system default object' }]);
    }
    for (const [kind, name] of [
      ['healthmonitor', 'Own-System-HTTP'],
      ['vrfcontext', 'global2'],
    ] as const) {
      object('POST', `/api/${kind}`, { name, ...(kind === 'healthmonitor' && { type: 'HEALTH_MONITOR_TCP' }) });
      expect(ask('DELETE', `/api/${kind}/${uuid(kind, name)}`).status, name).to.equal(204);
    }
    // With its cloud goes what the cloud had from the start.
    expect(list('/api/network').length).to.equal(1);
    expect(ask('DELETE', `/api/cloud/${uuid('cloud', 'vc')}`).status).to.equal(204);
    expect([list('/api/network').length, list('/api/vrfcontext').length]).to.deep.equal([0, 2]);
  });
});
