import { fields, optional, text, type FieldsOf } from '../../../model/values/shape.js';

const FILES = {
  /** In the object store: their SHA-256, sealed. */
  name: text,
  /** base64: opens them. */
  key: text,
};
/** Where the files of a run are, which all its sites get. */
export type SharedFiles = FieldsOf<typeof FILES>;

const DESCRIPTION = { text, files: optional(fields(FILES)) };
/** What a site gets of a run before its first walk. */
export type SiteDescription = FieldsOf<typeof DESCRIPTION>;

const isDescription = fields(DESCRIPTION);

export function descriptionText(description: SiteDescription): string {
  return JSON.stringify(description);
}

/** @throws Error if it is something else */
export function parseDescription(content: string): SiteDescription {
  const parsed: unknown = JSON.parse(content);
  if (!isDescription(parsed)) throw new Error('its description cannot be understood: install the same version');
  return parsed;
}
