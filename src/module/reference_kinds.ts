/**
 * The collection that a bare name in a reference field means: by the table of kinds, else by the field's own name (`health_monitor_refs`
 * means `/api/healthmonitor/`).
 *
 * @param object path of the object that has the field, or of its collection
 */
export async function collectionOf(field: string, object: string): Promise<string> {
  const { builtInKinds } = await import('../kinds/built_in_kinds.js');
  const table = builtInKinds();
  const kind =
    table.refersTo(field, table.kindAt(object)) ??
    field
      .replace(/_refs?$/, '')
      .replaceAll('_', '')
      .toLowerCase();
  return `/api/${kind}/`;
}
