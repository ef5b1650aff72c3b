import { builtinModules } from '../../modules/index.js';
import {
  aboutFields,
  describeArgument,
  describeCheckMode,
  describeOtherArguments,
} from '../../src/doc/module_reference.js';
import { describeModule, type ArgumentDescription, type ModuleDescription } from '../../src/module/description.js';

/** The reference of all built-in modules, as at the end of `docs/modules.md`. */
export async function moduleReference(): Promise<string> {
  const loaded = await Promise.all(Object.values(builtinModules).map((load) => load()));
  return loaded.map((module) => moduleMarkdown(describeModule(module.default))).join('\n');
}

function moduleMarkdown(module: ModuleDescription): string {
  const parts = [
    `### ${module.name}`,
    `${sentence(module.summary)} ${[module.description, describeCheckMode(module)].filter(Boolean).join(' ')}`,
    table(module.arguments),
    module.open ? describeOtherArguments(module) : '',
    module.fields.length === 0 ? '' : fields(module),
    ...module.examples.map((example) => `\`\`\`yaml\n${example}\n\`\`\``),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

function fields(module: ModuleDescription): string {
  return `${aboutFields(module)}:\n\n${table(module.fields)}`;
}

function table(rows: readonly ArgumentDescription[]): string {
  const lines = rows.map(
    (row) => `| \`${row.path}\` | ${cell(describeArgument(row))} | ${cell(row.description ?? '')} |`,
  );
  return ['| argument | type | meaning |', '| --- | --- | --- |', ...lines].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
