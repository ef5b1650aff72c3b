import { pathText } from '../../core/model/source/diagnostic.js';
import { groupBy } from '../../core/model/values/groups.js';
import { jsonText, type Mapping } from '../../core/model/values/value.js';
import { maskChange } from '../../core/secrets/mask_event.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import { diffLines, paintDiff } from '../../reporting/diff/diff_text.js';
import { differences, type Difference } from '../../reporting/diff/differences.js';
import { generalMessage } from '../../reporting/text/messages.js';
import type { Palette } from '../../reporting/text/palette.js';
import { oneLine } from '../../reporting/text/plain.js';
import { count, nameControllers, nameSome } from '../../reporting/text/words.js';
import type { FleetComparison } from '../capture_fleet.js';
import type { Unread } from '../fleet_collector.js';
import { objectTitle } from '../playbook/fleet_object.js';
import { findOutliers, isEqualEverywhere, type ObjectComparison } from './compare.js';

const MOST_NAMES = 5;
const MOST_GROUPS = 10;
const MOST_LINES = 12;
const MOST_FIELDS = 4;
const MOST_OBJECTS = 20;

/** For people: equal objects in one line, and each group of controllers that differs. */
export function comparisonText(comparison: FleetComparison, secrets: Secrets, palette: Palette): string {
  const { objects, controllers, unread } = comparison;
  if (controllers.length === 0) return `${[...unreadLines(unread, palette), 'nothing was compared'].join('\n')}\n`;
  const different = objects.filter((one) => !isEqualEverywhere(one));
  const more = different.length - MOST_OBJECTS;
  const lines = [
    palette.strong(summary(comparison)),
    ...different.slice(0, MOST_OBJECTS).flatMap((one) => objectLines(one, secrets, palette)),
    ...(more > 0 ? [palette.faint(`${count(more, 'more object')} with differences; --json shows all`)] : []),
    ...equalLine(objects.length - different.length, comparison),
    ...unreadLines(unread, palette),
  ];
  return `${lines.join('\n')}\n`;
}

function summary({ objects, controllers }: FleetComparison): string {
  const differing = new Set(objects.flatMap(findOutliers));
  const outliers = controllers.filter((name) => differing.has(name));
  const compared = `compared ${count(controllers.length, 'controller')}`;
  if (outliers.length > 0)
    return `${compared}: ${outliers.length} ${outliers.length === 1 ? 'differs' : 'differ'} from the majority: ${nameSome(outliers, MOST_NAMES)}`;
  return objects.every(isEqualEverywhere)
    ? compared
    : `${compared}: they differ only in fields whose values differ on most of them`;
}

function equalLine(equal: number, { objects, controllers, unread }: FleetComparison): readonly string[] {
  if (objects.length === 0) return ['no objects of these kinds'];
  if (equal === 0) return [];
  const all = controllers.length === 1 ? 'on 1 controller' : `equal on all ${count(controllers.length, 'controller')}`;
  // A controller may show some kinds only, or be lost after some of its tenants.
  const isPart = unread.some(({ controller, kind }) => kind !== undefined || controllers.includes(controller));
  const where = isPart ? 'equal on all controllers that show them' : all;
  return [`${count(equal, equal === objects.length ? 'object' : 'other object')} ${where}`];
}

function objectLines(one: ObjectComparison, secrets: Secrets, palette: Palette): readonly string[] {
  const { groups, missing, individual } = one;
  const [majority, ...others] = groups;
  const title = oneLine(objectTitle(one));
  const holders = groups.flatMap(({ controllers }) => controllers);
  const isRare = missing.length > holders.length;
  const equal = groups.length === 1 ? holders.length : majority.controllers.length;
  return [
    `${title}: ${isRare ? `only on ${nameSome(holders, MOST_NAMES)}` : `equal on ${count(equal, 'controller')}`}`,
    ...(individual.length === 0
      ? []
      : [`  fields that differ on most controllers: ${nameSome(individual.map(oneLine), MOST_FIELDS)}`]),
    ...(missing.length === 0 || isRare ? [] : [`  missing on ${namedControllers(missing)}`]),
    ...others
      .slice(0, MOST_GROUPS)
      .flatMap(({ controllers, fields }) => [
        `  different on ${namedControllers(controllers)}`,
        ...shortened(diffLines(maskedChange(title, majority.fields, fields, secrets)).slice(1)).map(
          (line) => `    ${paintDiff(line, palette)}`,
        ),
      ]),
    ...(others.length > MOST_GROUPS
      ? [palette.faint(`  and ${count(others.length - MOST_GROUPS, 'more different group')}; --json shows each`)]
      : []),
  ];
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [
    ...lines.slice(0, MOST_LINES - 1),
    `… ${count(lines.length - MOST_LINES + 1, 'more line')}; --json shows all`,
  ];
}

/** The majority has `-`, the others have `+`. */
function maskedChange(object: string, before: Mapping, after: Mapping, secrets: Secrets) {
  return maskChange({ kind: 'update', object, before, after }, secrets);
}

/** For programs. */
export function comparisonJson({ kinds, controllers, objects, unread }: FleetComparison, secrets: Secrets): string {
  const shown = {
    kinds,
    controllers,
    objects: objects.map((one) => objectJson(one, secrets)),
    unread: unread.map(({ controller, tenant = null, kind = null, message }) => ({
      controller,
      tenant,
      kind,
      message,
    })),
  };
  return `${jsonText(shown, undefined, 2)}\n`;
}

function objectJson(one: ObjectComparison, secrets: Secrets) {
  const { kind, name, cloud, tenant, groups, missing, individual } = one;
  const [majority, ...others] = groups;
  return {
    kind,
    name: name ?? null,
    cloud: cloud ?? null,
    tenant: tenant ?? null,
    equal: isEqualEverywhere(one),
    majority: majority.controllers,
    different: others.map(({ controllers, fields }) => ({
      controllers,
      differences: differences(maskedChange(objectTitle(one), majority.fields, fields, secrets)).map(differenceJson),
    })),
    missing,
    individual,
  };
}

function differenceJson(difference: Difference) {
  const path = pathText(difference.path);
  switch (difference.type) {
    case 'added':
      return { path, value: difference.after };
    case 'removed':
      return { path, majority: difference.before };
    case 'replaced':
      return { path, majority: difference.before, value: difference.after };
  }
}

const MOST_REASONS = 10;

/** What could not be read: each cause once, with the message of the first controller. */
export function unreadLines(unread: readonly Unread[], palette: Palette): readonly string[] {
  const groups = groupBy(unread, ({ controller, tenant, kind, message }) =>
    jsonText([tenant, kind, generalMessage(message, controller)]),
  );
  const lines = [...groups.values()].map((group) => {
    const [{ tenant, kind, message }] = group;
    const names = namedControllers(group.map(({ controller }) => controller));
    const where = tenant === undefined ? '' : `tenant "${tenant}": `;
    return `not read: ${names}: ${oneLine(`${where}${kind === undefined ? '' : `${kind}: `}${message}`)}`;
  });
  const left = lines.length - MOST_REASONS;
  const more = left > 0 ? [`not read: ${count(left, 'more reason')}`] : [];
  return [...lines.slice(0, MOST_REASONS), ...more].map((line) => palette.bad(line));
}

function namedControllers(controllers: readonly string[]): string {
  return nameControllers(controllers, MOST_NAMES);
}
