import { expect } from 'chai';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import type { VariableLevel } from '../../../src/core/model/values/variables.js';
import { connectionVariable, examineArguments, examineName } from '../../../src/engine/keywords/names.js';
import { BUILT_IN_LIBRARY, Library } from '../../../src/language/library.js';
import { renderValue } from '../../../src/language/render.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { Variables } from '../../../src/language/scope.js';
import { failure, layer } from '../../language/scopes.js';
import { catalogue } from '../../rig/loaded.js';

const library = () => new Library(BUILT_IN_LIBRARY.table);
const scopeOf = (values: Mapping, level: VariableLevel = 'extra vars', more: Mapping = {}) =>
  new Variables([layer(values, level), layer(more, 'play vars')], undefined, undefined, library());

const locate = (path: readonly (string | number)[]) => ({ file: path.join('.'), line: 1, column: 1 });

/** Where a part of a name is missing: the path of the argument, and what the message says. */
async function missing(module: string, args: Mapping, scope = scopeOf({ stage: '', none: null, ok: 'x' })) {
  const found = await catalogue.load(module);
  if (found === undefined) throw new Error(`no ${module}`);
  const rendered = renderValue(args, scope);
  try {
    examineArguments(found, { rendered, written: args }, scope, locate);
    return undefined;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return `${error.source?.file ?? 'nowhere'}: ${error.message}`;
  }
}

describe('a missing part of a name in the arguments of a task', () => {
  const text = 'part of a name is missing: {{ stage }} is an empty text';

  const refused: readonly (readonly [module: string, args: Mapping, at: string])[] = [
    ['cloud_present', { name: 'edge-{{ stage }}' }, 'name'],
    ['pool_present', { name: 'x', servers: [{ hostname: 'a' }, { hostname: 'h{{ stage }}' }] }, 'servers.1.hostname'],
    ['pool_present', { name: 'x', health_monitor_refs: ['a', 'b-{{ stage }}'] }, 'health_monitor_refs.1'],
    ['virtualservice_present', { name: 'x', vsvip_ref: 'v{{ stage }}' }, 'vsvip_ref'],
    ['vsvip_present', { name: 'x', dns_info: [{ fqdn: '{{ stage }}.example.com' }] }, 'dns_info.0.fqdn'],
    ['pool_present', { name: 'x', tenant: 't{{ stage }}' }, 'tenant'],
    ['resource_present', { kind: 'pool{{ stage }}', name: 'x', properties: {} }, 'kind'],
    ['api_request', { path: '/api/cloud/{{ stage }}' }, 'path'],
    ['file_upload', { path: '/api/x', src: 'f-{{ stage }}' }, 'src'],
    ['file_download', { path: '/api/x', dest: 'd/{{ stage }}' }, 'dest'],
    ['add_host', { name: 'lb{{ stage }}' }, 'name'],
    ['add_host', { name: 'lb9', groups: ['a', 'g{{ stage }}'] }, 'groups.1'],
    ['add_host', { name: 'lb9', controller_url: 'https://{{ stage }}.example.com' }, 'controller_url'],
    ['set_fact', { controller_url: 'https://{{ stage }}.example.com' }, 'controller_url'],
    ['set_fact', { other: 1, controller_tenant: 't{{ stage }}' }, 'controller_tenant'],
  ];
  for (const [module, args, at] of refused)
    it(`is found at ${at} of ${module}`, async () => {
      expect(await missing(module, args)).to.equal(`${at}: ${text}`);
    });

  const accepted: readonly (readonly [module: string, args: Mapping])[] = [
    ['cloud_present', { name: 'edge', description: 'of {{ stage }}' }],
    ['pool_present', { name: 'x', servers: [{ description: '{{ stage }}!' }] }],
    ['cloud_present', { name: 'edge-{{ stage | default("", true) }}' }],
    ['cloud_present', { name: 'edge-{{ ok }}', description: '{{ stage }}!' }],
    ['debug', { msg: 'x {{ stage }}' }],
    ['fail', { msg: 'x {{ stage }}' }],
    ['set_fact', { name: 'x-{{ stage }}', path: 'p{{ stage }}' }],
    ['group_by', { key: 'g-{{ stage }}' }],
    ['add_host', { name: 'lb9', site_name: 's-{{ stage }}' }],
    ['set_fact', { controller_password: 'p{{ stage }}' }],
    ['set_fact', { nested: { controller_url: 'u{{ stage }}' } }],
    ['set_fact', { controller_tenant: ['u{{ stage }}'] }],
    ['cloud_present', { name: 'edge' }],
  ];
  for (const [module, args] of accepted)
    it(`does not matter in ${JSON.stringify(args)} of ${module}`, async () => {
      expect(await missing(module, args)).to.equal(undefined);
    });

  it('is null, too, and has a hint', async () => {
    expect(await missing('cloud_present', { name: 'edge-{{ none }}' })).to.equal(
      'name: part of a name is missing: {{ none }} is null',
    );
    const scope = scopeOf({ stage: '' });
    const args = { name: 'edge-{{ stage }}' };
    const module = await catalogue.load('cloud_present');
    const rendered = renderValue(args, scope);
    const error = failure(() => {
      if (module !== undefined) examineArguments(module, { rendered, written: args }, scope, locate);
    });
    expect(error).to.have.property(
      'hint',
      'give it a value, or write {{ stage | default("", true) }} if the name is right without it',
    );
  });

  it('may be in a variable, and in a variable of a variable', async () => {
    const more = { full: 'edge-{{ stage }}', deep: { names: ['{{ full }}', 'x'] }, safe: 'edge' };
    for (const level of ['extra vars', 'vars_prompt', 'facts', 'set_fact and registered'] as const) {
      const scope = () => scopeOf({ stage: '' }, level, more);
      const found = await Promise.all(
        ['{{ full }}', '{{ deep.names[0] }}'].map((name) => missing('cloud_present', { name }, scope())),
      );
      expect(found, level).to.deep.equal([
        `vars.yml: ${text} (from "full")`,
        `vars.yml: ${text} (from "deep.names.0" → "full")`,
      ]);
      expect(await missing('cloud_present', { name: '{{ deep.names[1] }}-{{ safe }}' }, scope()), level).to.equal(
        undefined,
      );
      expect(await missing('cloud_present', { name: 'x', description: '{{ full }}' }, scope()), level).to.equal(
        undefined,
      );
    }
  });

  it('may be within a list that is the value of a variable', async () => {
    const all = [{ hostname: 'a', description: 'x{{ stage }}' }, { hostname: 'h{{ stage }}' }];
    const args = { name: 'x', servers: '{{ all }}' };
    expect(await missing('pool_present', args, scopeOf({ stage: '' }, 'extra vars', { all }))).to.equal(
      `servers.1.hostname: ${text}`,
    );
    expect(await missing('pool_present', args, scopeOf({ stage: 'a' }, 'extra vars', { all }))).to.equal(undefined);
  });

  it('is right where an empty text is written in a file', async () => {
    for (const level of ['play vars', 'inventory host vars', 'role defaults', 'task vars'] as const)
      expect(
        await missing('cloud_present', { name: 'edge-{{ stage }}' }, scopeOf({ stage: '' }, level)),
        level,
      ).to.equal(undefined);
    const nested = scopeOf({ site: { suffix: '', none: null } }, 'play vars');
    expect(await missing('cloud_present', { name: 'edge-{{ site.suffix }}' }, nested)).to.equal(undefined);
    expect(await missing('cloud_present', { name: 'edge-{{ site.none }}' }, nested)).to.equal(
      'name: part of a name is missing: {{ site.none }} is null',
    );
  });
});

describe('a missing part of a name in a keyword or a connection variable', () => {
  const examine = (written: Value, scope: Variables) => {
    const rendered = renderValue(written, scope);
    examineName(rendered, written, scope, () => ({ file: 'p.yml', line: 1, column: 1 }));
  };

  it('is found in a delegate', () => {
    expect(() => {
      examine('lb-{{ stage }}', scopeOf({ stage: '' }));
    }).to.throw('part of a name is missing: {{ stage }} is an empty text');
    examine('lb-{{ stage }}', scopeOf({ stage: 'a' }));
    examine('lb', scopeOf({ stage: '' }));
  });

  it('is found in variables that say where to, not in others', () => {
    const scope = scopeOf({ stage: '' }, 'extra vars', {
      controller_url: 'https://lb{{ stage }}',
      controller_password: 'p{{ stage }}',
      controller_tenant: 'blue',
      other: 'o{{ stage }}',
    });
    expect(renderValue('{{ other }}', scope)).to.equal('o');
    expect(() => connectionVariable('controller_url', scope)).to.throw('part of a name is missing');
    expect(
      ['controller_password', 'controller_tenant', 'other', 'controller_route'].map((name) =>
        connectionVariable(name, scope),
      ),
    ).to.deep.equal(['p', 'blue', 'o', undefined]);
  });

  it('is looked for only if a text had one', () => {
    const scope = scopeOf({ stage: 'a' }, 'extra vars', { controller_url: 'https://lb{{ stage }}' });
    expect(connectionVariable('controller_url', scope)).to.equal('https://lba');
  });
});
