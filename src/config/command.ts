import { type CommandContext, refuse, show } from '../cli/context.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { passwordsInUrls } from '../core/secrets/values.js';
import { plain } from '../reporting/text/plain.js';
import { tableLines } from '../reporting/text/width.js';
import {
  effectiveSettings,
  type EffectiveSetting,
  type SettingOptions,
  type SettingOrigin,
} from './effective_settings.js';

export interface ConfigOptions extends SettingOptions {
  readonly json?: boolean;
}

/** `evenkeel config`: the settings that commands would use here, and where each comes from. */
export async function configCommand(options: ConfigOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const settings = await effectiveSettings(options, context, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context);
  show(diagnostics.list, context);
  const texts = settings.flatMap(({ value }) => value).filter((value) => typeof value === 'string');
  for (const password of texts.flatMap(passwordsInUrls)) context.secrets.add(password);
  const text = options.json === true ? `${JSON.stringify(settings, null, 2)}\n` : tableText(settings);
  context.stdout.write(text, options);
  return EXIT.ok;
}

function tableText(settings: readonly EffectiveSetting[]): string {
  const rows = settings.map(({ name, value, origin }) => [name, plain(shown(value)), plain(originText(origin))]);
  return `${tableLines(rows, '', MOST_WIDE).join('\n')}\n`;
}

const MOST_WIDE = 50;

function shown(value: EffectiveSetting['value']): string {
  if (value === null) return 'none';
  if (typeof value !== 'object') return String(value);
  return value.length === 0 ? 'none' : value.join(', ');
}

function originText(origin: SettingOrigin): string {
  switch (origin.type) {
    case 'option':
    case 'variable':
      return origin.name;
    case 'file':
      return `${origin.file}:${origin.line}`;
    case 'default':
      return 'default';
  }
}
