/** Fields that the controller sets: never sent on create, never compared (API document, section 2.1). */
export const SERVER_FIELDS: readonly string[] = ['uuid', 'url', '_last_modified'];
