import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Which test files load which source files, by the imports alone: types left out, `import()` counted. */
export class Covering {
  readonly #imports = new Map<string, readonly string[]>();
  readonly #distances = new Map<string, ReadonlyMap<string, number>>();

  /** @param tests relative to the root */
  constructor(
    private readonly root: string,
    private readonly tests: readonly string[],
  ) {}

  /** The test files that load a file, the one written for it first, then by the number of imports between them. */
  of(file: string): readonly string[] {
    return this.tests
      .map((test) => ({ test, distance: this.#distancesFrom(test).get(file), mirror: mirrors(test, file) }))
      .filter(({ distance }) => distance !== undefined)
      .sort((a, b) => b.mirror - a.mirror || (a.distance ?? 0) - (b.distance ?? 0) || (a.test < b.test ? -1 : 1))
      .map(({ test }) => test);
  }

  /** How many imports lead from one file to another; undefined if none do. */
  distance(from: string, to: string): number | undefined {
    return this.#distancesFrom(from).get(to);
  }

  #distancesFrom(test: string): ReadonlyMap<string, number> {
    const known = this.#distances.get(test);
    if (known !== undefined) return known;
    const distances = new Map([[test, 0]]);
    for (const [file, distance] of distances)
      for (const imported of this.#importsOf(file)) if (!distances.has(imported)) distances.set(imported, distance + 1);
    this.#distances.set(test, distances);
    return distances;
  }

  #importsOf(file: string): readonly string[] {
    const known = this.#imports.get(file) ?? this.#read(file);
    this.#imports.set(file, known);
    return known;
  }

  #read(file: string): readonly string[] {
    const text = readFileSync(path.join(this.root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const name = specifierOf(node);
      if (name?.startsWith('.') === true)
        found.push(...['.ts', '.tsx'].map((suffix) => path.join(path.dirname(file), name.replace(/\.js$/, suffix))));
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found.filter((one) => /\.tsx?$/.test(one) && existsSync(path.join(this.root, one)));
  }
}

/** 2: the test of that file; 1: a test of the same folder; 0: any other. */
function mirrors(test: string, file: string): number {
  const mirror = path.join('test', file.replace(/^src\//, '').replace(/\.tsx?$/, '.test.ts'));
  if (test === mirror) return 2;
  return path.dirname(test) === path.dirname(mirror) ? 1 : 0;
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node))
    return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? undefined : textOf(node.moduleSpecifier);
  if (ts.isExportDeclaration(node)) return node.isTypeOnly ? undefined : textOf(node.moduleSpecifier);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return textOf(node.arguments[0]);
  return undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteral(node) ? node.text : undefined;
}
