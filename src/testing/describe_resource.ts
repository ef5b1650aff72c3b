import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadUserModule } from '../launch/user_code/user_module.js';
import type { Module, ResourceModule } from '../module/contract.js';
import { absenceChecksOf } from './absence_checks.js';
import { checksOf, type Check } from './resource_checks.js';
import { Scene, type Example } from './scene.js';

/** `describe` and `it` of mocha, vitest, jest or node:test. */
export interface TestFunctions {
  readonly describe: (title: string, body: () => void) => unknown;
  readonly it: (title: string, body: () => Promise<void>, timeout?: number) => unknown;
}

/** A check runs a few small playbooks; a lost reply alone is waited for a second or two. */
const TIMEOUT_MS = 60_000;

/**
 * Declares tests that hold a resource module to the contract: its plan is pure, check mode writes nothing, a second run changes
 * nothing, a lost reply makes no duplicate, no output shows a secret, and a rollback puts an update back. They run against a
 * simulated controller. An example with `deletes` is for a module that deletes its object.
 *
 * @param module the module, or the URL of its file, which is loaded as `evenkeel run` loads it
 * @param functions of the test framework; default: its globals, else those of `node:test`
 */
export function describeResource(
  module: Module | URL,
  examples: readonly Example[],
  functions: TestFunctions = testFunctions(),
): void {
  const { describe, it } = functions;
  describe(module instanceof URL ? nameOf(module) : module.name, () => {
    for (const example of examples)
      describe(titleOf(example), () => {
        for (const { title, run } of testsOf(example))
          it(
            title,
            withTimeout(async () => run(await resourceOf(module))),
            TIMEOUT_MS,
          );
      });
  });
}

interface Test {
  readonly title: string;
  readonly run: (module: ResourceModule) => Promise<void>;
}

function testsOf(example: Example): readonly Test[] {
  return 'deletes' in example ? inScenes(example, absenceChecksOf(example)) : inScenes(example, checksOf(example));
}

function inScenes<Given extends Example>(example: Given, checks: readonly Check<Given>[]): readonly Test[] {
  return checks.map(({ title, run }) => ({
    title,
    run: async (module) => {
      const scene = await Scene.open(module, example);
      try {
        await run(scene);
      } finally {
        await scene.close();
      }
    },
  }));
}

function titleOf({ title, dialect, object: { path: where, name } }: Example): string {
  const use = title ?? (name === undefined ? where : `${where} ${name}`);
  return dialect === undefined ? use : `${use} (${dialect})`;
}

function testFunctions(): TestFunctions {
  const scope: object = globalThis;
  const { describe, it }: Partial<TestFunctions> = scope;
  return describe !== undefined && it !== undefined ? { describe, it } : process.getBuiltinModule('node:test');
}

/** Mocha takes its time limit from the test's `this`; other frameworks from the last argument of `it`. */
function withTimeout(body: () => Promise<void>): () => Promise<void> {
  return function (this: unknown) {
    const context: { readonly timeout?: unknown } = typeof this === 'object' && this !== null ? this : {};
    if (typeof context.timeout === 'function') Reflect.apply(context.timeout, context, [TIMEOUT_MS]);
    return body();
  };
}

async function resourceOf(given: Module | URL): Promise<ResourceModule> {
  const module = given instanceof URL ? await loadUserModule(nameOf(given), fileURLToPath(given)) : given;
  if (module.type === 'resource') return module;
  throw new Error(`${module.name} is an action; describeResource tests resource modules`);
}

function nameOf(url: URL): string {
  return path.parse(fileURLToPath(url)).name;
}
