import { fields, optional, text, type FieldsOf } from '../../../model/values/shape.js';

const FILES = {
  /** Name in the object store: the SHA-256 of the sealed files. */
  name: text,
  /** The key that opens them, in base64. */
  key: text,
};
/** The location of a run's files, the same for all sites. */
export type SharedFiles = FieldsOf<typeof FILES>;

const DESCRIPTION = { text, files: optional(fields(FILES)) };
/** The description of a run that a site gets before its first walk. */
export type SiteDescription = FieldsOf<typeof DESCRIPTION>;

const isDescription = fields(DESCRIPTION);

export function descriptionText(description: SiteDescription): string {
  return JSON.stringify(description);
}

/** @throws Error if the content is not a description */
export function parseDescription(content: string): SiteDescription {
  const parsed: unknown = JSON.parse(content);
  if (!isDescription(parsed)) throw new Error('its description cannot be understood: install the same version');
  return parsed;
}
