import * as Type from 'typebox';
import type { Static } from 'typebox';

/** Options that the engine gets as the user gave them. The journal keeps them, so a resume and a rerun have them, too. */
export const ENGINE_OPTIONS = {
  /** `--force-handlers`: in all plays. */
  forceHandlers: Type.Optional(Type.Boolean()),
  /** No task can leave check mode (`check_mode: false`), so nothing is written in any case. */
  readOnly: Type.Optional(Type.Boolean()),
};

type GivenOptions = Static<Type.TObject<typeof ENGINE_OPTIONS>>;

/** Unset options may be undefined. */
export type EngineOptions = { readonly [K in keyof GivenOptions]: GivenOptions[K] | undefined };
