import type { KindData } from '../../src/kinds/kind_data.js';
import type { Kind, KindTable } from '../../src/kinds/kind_table.js';
import type { Module } from '../../src/module/contract.js';

/** The operations for which a kind has modules. */
const OPERATIONS = ['present', 'absent'] as const;

/**
 * Listed here, so that listing modules does not read the table of kinds. `cloud` and `systemconfiguration` have their
 * own modules.
 */
const COLLECTIONS =
  'actiongroupconfig albservicesfiledownload albservicesfileupload albservicesjob alertconfig alertemailconfig alertobjectlist alertscriptconfig alertsyslogconfig analyticsprofile applicationpersistenceprofile applicationprofile authmappingprofile authprofile autoscalelaunchconfig availabilityzone backupconfiguration botconfigconsolidator botdetectionpolicy botipreputationtypemapping botmapping certificatemanagementprofile cloudconnectoruser clusterclouddetails controllerportalregistration controllersite csrfpolicy customipamdnsprofile dnspolicy dynamicdnsrecord errorpagebody errorpageprofile federationcheckpoint fileobject geodb gslb gslbgeodbprofile gslbservice hardwaresecuritymodulegroup healthmonitor httppolicyset icapprofile ipaddrgroup ipamdnsproviderprofile ipreputationdb jwtserverprofile l4policyset labelgroup microservicegroup natpolicy network networkprofile networksecuritypolicy networkservice nsxtsegmentruntime pingaccessagent pkiprofile pool poolgroup poolgroupdeploymentpolicy prioritylabels protocolparser role scheduler securitymanagerdata securitypolicy serverautoscalepolicy serviceauthprofile serviceengine serviceenginegroup siteversion snmptrapprofile sslkeyandcertificate sslprofile ssopolicy statediffoperation stringgroup systemreport tenant tenantsystemconfiguration trafficcloneprofile upgradestatusinfo upgradestatussummary user useraccountprofile vcenterserver virtualservice vrfcontext vsdatascriptset vsgs vsvip wafapplicationsignatureprovider wafpolicy wafpolicypsmgroup wafprofile webhook'.split(
    ' ',
  );

const SINGLE =
  'albservicesconfig cloudproperties cluster controllerproperties inventoryfaultconfig seproperties systemlimits'.split(
    ' ',
  );

/** Kinds whose modules were written by hand, and backups, which have no name to be found by. */
const BY_HAND: readonly string[] = ['backup', 'cloud', 'systemconfiguration'];

export const builtInKindNames: readonly string[] = [...COLLECTIONS, ...SINGLE, ...BY_HAND, 'image'].sort();

/** The modules of the built-in kinds. */
export const kindModules: readonly string[] = builtInKindNames.flatMap((name) =>
  moduleNames({ name, single: SINGLE.includes(name), upload: name === 'image' }),
);

/** Kinds of the vendor's collection whose fields no public schema describes. */
const VENDOR_ONLY_KINDS: readonly string[] =
  'licenseledgerdetails licensestatus memorybalancerrequest statediffsnapshot testsedatastorelevel1 testsedatastorelevel2 testsedatastorelevel3 webapput'.split(
    ' ',
  );

/** Other modules of the collection. */
const SPECIAL =
  'avi_api_fileservice avi_api_image avi_api_session avi_api_version avi_gslbservice_patch_member avi_serviceenginegroup_advanced avi_update_se_data_vnics avi_useraccount'.split(
    ' ',
  );

/** The modules of the vendor's Ansible collection, which work here, too. */
export const vendorModules: readonly string[] = [
  ...[...builtInKindNames.filter((name) => !['backup', 'image'].includes(name)), ...VENDOR_ONLY_KINDS].map(
    (name) => `avi_${name}`,
  ),
  ...SPECIAL,
];

/** The modules of the kinds of a project's table. */
export function kindModulesIn({ kinds }: Pick<KindData, 'kinds'>): readonly string[] {
  return Object.entries(kinds).flatMap(([name, kind]) =>
    moduleNames({ name, single: false, upload: false, ...(typeof kind === 'string' ? {} : kind) }),
  );
}

export function vendorModulesIn({ kinds }: Pick<KindData, 'kinds'>): readonly string[] {
  return Object.keys(kinds).map((name) => `avi_${name}`);
}

/** `pool_present`. An object that exists once has no `_absent` module; uploaded objects have no `_present` module. */
function moduleNames({ name, single, upload }: Pick<Kind, 'name' | 'single' | 'upload'>): readonly string[] {
  if (BY_HAND.includes(name)) return [];
  return OPERATIONS.filter((state) => (state === 'present' ? !upload : !single)).map((state) => `${name}_${state}`);
}

/** The names of the existing modules of a kind. */
export function modulesOfKind(name: string): readonly string[] {
  return name === 'systemconfiguration' ? ['system_config'] : OPERATIONS.map((state) => `${name}_${state}`);
}

/** The module of that name for a kind of the table; undefined if there is none. */
export async function loadKindModule(name: string, table: KindTable): Promise<Module | undefined> {
  if (name.startsWith('avi_'))
    return (await import('./vendor_modules.js')).vendorModuleNamed(name, table, VENDOR_ONLY_KINDS);
  const kind = table.kind(name.replace(/_[a-z]+$/, ''));
  if (kind === undefined || !moduleNames(kind).includes(name)) return undefined;
  const { absentModule, presentModule } = await import('./kind_modules.js');
  return name.endsWith('_absent') ? absentModule(kind) : presentModule(kind);
}
