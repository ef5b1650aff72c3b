import { DEFAULT_DIALECT, type Dialect, type Dialects } from '../../core/model/dialect.js';
import type { Auth, ConnectionSettings } from '../../core/model/inventory/connection_variables.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import type { SettingValues } from './values.js';

const AUTHS: readonly Auth[] = ['basic', 'session'];

export type DialectSettings = Pick<ConnectionSettings, 'dialect' | 'isDialectAssumed' | 'auth' | 'tenant'>;

/** Replaces an unknown dialect, whose name is a problem, so nothing is sent with it. Needs no version. */
const UNKNOWN: Dialect = { ...DEFAULT_DIALECT, versionPath: '/api/' };

/** `controller_dialect`, and what is possible only in some dialects: `controller_auth` and `controller_tenant`. */
export function settingDialect(values: SettingValues, dialects: Dialects): DialectSettings {
  const dialect = chooseDialect(values, dialects);
  const auth = chooseAuth(values, dialect);
  const isDialectAssumed = !values.isSet('controller_dialect');
  // What an unknown dialect allows is not known, so only its name is a problem.
  if (dialect === undefined) return { dialect: UNKNOWN, isDialectAssumed, auth, tenant: undefined };
  return { dialect, isDialectAssumed, auth, tenant: chooseTenant(values, dialect) };
}

function chooseDialect(values: SettingValues, dialects: Dialects): Dialect | undefined {
  const name = values.text('controller_dialect');
  if (name === undefined) return DEFAULT_DIALECT;
  const dialect = dialects.get(name);
  if (dialect !== undefined) return dialect;
  const names = [...dialects.keys()];
  const problem = `controller_dialect must be one of ${names.join(', ')}, not "${name}"`;
  values.problem(problem, ['controller_dialect'], { hint: didYouMean(name, names) });
  return undefined;
}

function chooseAuth(values: SettingValues, dialect: Dialect | undefined): Auth {
  // A fresh controller with sessions refuses Basic authentication.
  const name = values.text('controller_auth') ?? (dialect?.session === undefined ? 'basic' : 'session');
  const auth = AUTHS.find((one) => one === name);
  if (auth === undefined)
    values.problem(`controller_auth must be one of ${AUTHS.join(', ')}, not "${name}"`, ['controller_auth'], {
      hint: didYouMean(name, AUTHS),
    });
  if (auth !== 'session' || dialect?.session !== undefined) return auth ?? 'basic';
  if (dialect === undefined) return 'basic';
  const problem = `controller_auth: session is not possible with the dialect "${dialect.name}", which has Basic authentication only`;
  const hint = 'set controller_dialect to the dialect of the controller, such as avi';
  values.problem(problem, ['controller_auth', 'controller_dialect'], { hint });
  return 'basic';
}

/** A header value (RFC 9110, section 5.5) without the spaces around it, which are not part of one. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

function chooseTenant(values: SettingValues, { name, tenants }: Dialect): string | undefined {
  const tenant = values.text('controller_tenant');
  if (tenants === undefined) {
    const problem = `controller_tenant is not possible with the dialect "${name}", which has no tenants`;
    const hint =
      'set controller_dialect to the dialect of the controller, such as avi; or set the header in controller_headers';
    if (tenant !== undefined) values.problem(problem, ['controller_tenant', 'controller_dialect'], { hint });
    return undefined;
  }
  if (tenant !== undefined && !HEADER_TEXT.test(tenant))
    values.problem(`controller_tenant cannot be sent as a header: "${tenant}"`, ['controller_tenant']);
  return tenant ?? tenants.default;
}
