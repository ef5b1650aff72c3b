import { isScalar, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';

export type TagMeaning = 'text' | 'plain' | 'unsafe' | 'vault' | 'unknown' | undefined;

const SCALARS: ReadonlyMap<string, TagMeaning> = new Map<string, TagMeaning>([
  ['!', 'text'],
  ['tag:yaml.org,2002:str', 'text'],
  ['tag:yaml.org,2002:int', 'plain'],
  ['tag:yaml.org,2002:float', 'plain'],
  ['tag:yaml.org,2002:bool', 'plain'],
  ['tag:yaml.org,2002:null', 'plain'],
  ['!unsafe', 'unsafe'],
  ['!vault', 'vault'],
  ['!vault-encrypted', 'vault'],
]);

const COLLECTIONS: ReadonlyMap<string, TagMeaning> = new Map<string, TagMeaning>([
  ['tag:yaml.org,2002:map', 'plain'],
  ['tag:yaml.org,2002:seq', 'plain'],
  ['!unsafe', 'unsafe'],
]);

/** What a tag that somebody wrote asks for; undefined if there is none. */
export function meaningOf(node: Scalar | YAMLMap | YAMLSeq): TagMeaning {
  if (node.tag === undefined) return undefined;
  return (isScalar(node) ? SCALARS : COLLECTIONS).get(node.tag) ?? 'unknown';
}

/** Whether a scalar is text whatever it looks like: it is quoted, or tagged so. */
export function isText(node: Scalar, meaning: TagMeaning): boolean {
  return meaning === undefined ? node.type !== 'PLAIN' : meaning !== 'plain';
}
