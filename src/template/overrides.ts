import { TemplateError } from './errors.js';
import type { Spacing } from './jinja.js';

const HEADER = '#jinja2:';

export function hasOverrides(text: string): boolean {
  return text.startsWith(HEADER);
}

/** Takes a first line `#jinja2: trim_blocks: False, lstrip_blocks: True` off a text; Ansible reads it in every template. */
export function readOverrides(text: string, spacing: Spacing): { readonly rest: string; readonly spacing: Spacing } {
  if (!hasOverrides(text)) return { rest: text, spacing };
  const end = text.indexOf('\n');
  const line = text.slice(HEADER.length, end < 0 ? text.length : end);
  const settings = line.split(',').reduce((known, one): Spacing => ({ ...known, ...readSetting(one) }), spacing);
  return { rest: end < 0 ? '' : text.slice(end + 1), spacing: settings };
}

function readSetting(setting: string): Partial<Spacing> {
  const [name = '', value = ''] = setting.split(':').map((one) => one.trim());
  const flag = value === 'True' ? true : value === 'False' ? false : undefined;
  if (name !== 'trim_blocks' && name !== 'lstrip_blocks')
    throw new TemplateError(`#jinja2: "${name}" cannot be set`, { hint: 'trim_blocks and lstrip_blocks can' });
  if (flag === undefined) throw new TemplateError(`#jinja2: ${name} is True or False, not "${value}"`);
  return name === 'trim_blocks' ? { trim: flag } : { lstrip: flag };
}
