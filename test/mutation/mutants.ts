import ts from 'typescript';

/** One small change of a source file. */
export interface Mutant {
  /** Relative to the root of the project. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The names of the functions around it, the innermost first, as V8 names them. */
  readonly functions: readonly string[];
}

type Change = Omit<Mutant, 'file' | 'functions'>;

const OPERATORS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
]);

const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  find: 'findLast',
  findLast: 'find',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
};

/** Methods that make another list or text of the same kind: without them it stays as it is. */
const DROPPED = new Set(['filter', 'toSorted', 'sort', 'toReversed', 'reverse', 'slice', 'trim']);

/** All mutants of a source file, in the order of their place. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
    const functions = namesAround(node);
    for (const change of changesOf(node, source)) found.push({ file, ...change, functions });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function changesOf(node: ts.Node, source: ts.SourceFile): readonly Change[] {
  const replaced = (part: ts.Node, replacement: string): Change => ({
    start: part.getStart(source),
    end: part.getEnd(),
    replacement,
  });
  const negated = (condition: ts.Expression): Change => replaced(condition, `!(${condition.getText(source)})`);
  if (ts.isBinaryExpression(node)) return operatorChanges(node, source, replaced);
  if (ts.isIfStatement(node))
    // What leaves early is left out: the rest runs where it must not.
    return node.elseStatement === undefined && isExit(node.thenStatement)
      ? [negated(node.expression), replaced(node, ';')]
      : [negated(node.expression)];
  if (ts.isConditionalExpression(node)) return [negated(node.condition)];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [replaced(node, node.operand.getText(source))];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [replaced(node, 'false')];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [replaced(node, 'true')];
  if (ts.isNumericLiteral(node)) return [replaced(node, `(${node.text} + 1)`)];
  if (ts.isExpressionStatement(node))
    return isCall(node.expression) || isAssignment(node.expression) ? [replaced(node, ';')] : [];
  if (ts.isAwaitExpression(node)) return [replaced(node, node.expression.getText(source))];
  if (ts.isReturnStatement(node) && node.expression !== undefined)
    return ['undefined', '[]'].flatMap((other) =>
      node.expression?.getText(source) === other ? [] : [replaced(node, `return ${other};`)],
    );
  if (ts.isArrayLiteralExpression(node)) return node.elements.map((_, at) => replaced(node, without(node, at, source)));
  if (ts.isCallExpression(node)) return callChanges(node, source, replaced);
  if (ts.isPropertyAccessExpression(node) && Object.hasOwn(METHODS, node.name.text))
    return [replaced(node.name, METHODS[node.name.text] ?? '')];
  return [];
}

/** A filter that lets everything pass, an order that is none, and arguments swapped; the method of a call is another node. */
function callChanges(
  { expression, arguments: args }: ts.CallExpression,
  source: ts.SourceFile,
  replaced: (part: ts.Node, replacement: string) => Change,
): readonly Change[] {
  const [first, second] = args;
  if (ts.isPropertyAccessExpression(expression) && DROPPED.has(expression.name.text))
    return [replaced(expression.parent, expression.expression.getText(source))];
  if (first === undefined || second === undefined || first.getText(source) === second.getText(source)) return [];
  // Their order means nothing.
  if (/^Math\.(?:min|max|imul)$/.test(expression.getText(source))) return [];
  const swapped = `${second.getText(source)}, ${first.getText(source)}`;
  return [{ start: first.getStart(source), end: second.getEnd(), replacement: swapped }];
}

function without({ elements }: ts.ArrayLiteralExpression, left: number, source: ts.SourceFile): string {
  return `[${elements.flatMap((one, at) => (at === left ? [] : [one.getText(source)])).join(', ')}]`;
}

function isAssignment(expression: ts.Expression): boolean {
  return (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    expression.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  );
}

function operatorChanges(
  { left, operatorToken, right }: ts.BinaryExpression,
  source: ts.SourceFile,
  replaced: (part: ts.Node, replacement: string) => Change,
): readonly Change[] {
  // What stands for a missing value is taken always.
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return [replaced(left.parent, right.getText(source))];
  const other = OPERATORS.get(operatorToken.kind);
  return other === undefined ? [] : [replaced(operatorToken, other)];
}

function isExit(statement: ts.Statement): boolean {
  const only = ts.isBlock(statement) && statement.statements.length === 1 ? statement.statements[0] : statement;
  return (
    only !== undefined &&
    (ts.isReturnStatement(only) ||
      ts.isThrowStatement(only) ||
      ts.isContinueStatement(only) ||
      ts.isBreakStatement(only))
  );
}

function isCall(expression: ts.Expression): boolean {
  return ts.isAwaitExpression(expression) ? isCall(expression.expression) : ts.isCallExpression(expression);
}

function namesAround(node: ts.Node | undefined): readonly string[] {
  return node === undefined ? [] : [...(functionName(node) ?? []), ...namesAround(node.parent)];
}

function functionName(node: ts.Node): readonly string[] | undefined {
  if (ts.isConstructorDeclaration(node)) return [node.parent.name?.text ?? ''];
  if (ts.isGetAccessor(node)) return [`get ${node.name.getText()}`];
  if (ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node)) return [node.name?.getText() ?? ''];
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return undefined;
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? [parent.name.getText()] : undefined;
}

/** The text with the mutant in it. */
export function mutated(text: string, { start, end, replacement }: Change): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** `file:line`, the line as it is, and as the mutant has it. */
export function shown(text: string, mutant: Mutant): string {
  const line = text.slice(0, mutant.start).split('\n').length;
  const last = line + text.slice(mutant.start, mutant.end).split('\n').length;
  const before = text.split('\n').slice(line - 1, last - 1);
  const after = mutated(text, mutant)
    .split('\n')
    .slice(line - 1, line);
  return [
    `${mutant.file}:${line}`,
    ...before.map((one) => `  - ${one.trim()}`),
    ...after.map((one) => `  + ${one.trim()}`),
  ].join('\n');
}
