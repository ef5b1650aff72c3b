import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Page, PageBatch, PageGate } from '../../reporting/page/format/page.js';
import { visibleTimes, type RunTimes } from '../data/timing.js';
import type { View } from '../data/view.js';
import { count, elapsed, grouped } from '../data/words.js';
import { useInParts } from './run_hooks.js';
import { Section } from './small.js';

const MOST_BATCHES = 60;
const MOST_TASKS = 20;

export interface TimelineProps {
  readonly view: View;
  readonly onOpen: (row: number, column: number | undefined) => void;
}

/** What took how long: batches and gates, the activity over time, tasks, and the slowest controllers. */
export function Timeline({ view: wanted, onOpen }: TimelineProps): JSX.Element {
  const found = useInParts(wanted, visibleTimes);
  return useMemo(() => <Times view={found.view} times={found.value} onOpen={onOpen} />, [found, onOpen]);
}

interface TimesProps extends TimelineProps {
  readonly times: RunTimes;
}

function Times({ view, times, onOpen }: TimesProps): JSX.Element | null {
  const { page } = view;
  const { activity } = times;
  const most = Math.max(...activity.atWork);
  const fastest = Math.max(...activity.throughput);
  if (most === 0) return null;
  return (
    <Section id="timeline" title="Timeline" note={elapsed(page.run.seconds)}>
      <div class="timeline">
        <Batches page={page} />
        <Chart title="Controllers at work" peak={`at most ${grouped(Math.round(most))}`} values={activity.atWork} />
        <Chart title="Tasks per second" peak={`at most ${grouped(Math.round(fastest))}`} values={activity.throughput} />
        <div class="lane" aria-hidden="true">
          <p class="axis">
            <span>0 s</span>
            <span>{elapsed(page.run.seconds / 2)}</span>
            <span>{elapsed(page.run.seconds)}</span>
          </p>
        </div>
      </div>
      <TaskTimes view={view} times={times} onOpen={onOpen} />
      <Slowest view={view} times={times} onOpen={onOpen} />
    </Section>
  );
}

function Batches({ page }: { readonly page: Page }): JSX.Element | null {
  const shown = page.batches.slice(0, MOST_BATCHES);
  if (page.batches.length < 2 && page.gates.length === 0) return null;
  return (
    <ol class="batches">
      {shown.map((one) => (
        <li class="lane" key={`${one.play} ${one.batch}`}>
          <span class="label">{batchName(page, one)}</span>
          <span class="track">
            <Bar page={page} span={one} name="bar" failed={one.failed / Math.max(1, one.controllers.length)} />
            {batchGates(page, one).map((gate, index) => (
              <Bar key={index} page={page} span={gate} name={`bar gate ${gateStatus(page, gate)}`} />
            ))}
          </span>
          <span class="dim">{batchText(page, one)}</span>
        </li>
      ))}
      {page.batches.length > MOST_BATCHES && (
        <li class="dim">and {grouped(page.batches.length - MOST_BATCHES)} more</li>
      )}
    </ol>
  );
}

function batchGates({ gates }: Page, { play, batch }: PageBatch): readonly PageGate[] {
  return gates.filter((gate) => gate.play === play && gate.batch === batch);
}

function batchName({ plays }: Page, { play, batch, batches }: PageBatch): string {
  const name = plays[play]?.name ?? '';
  return batches > 1 ? `${name} ${batch}/${batches}` : name;
}

/** In words, for readers without colours. */
function batchText(page: Page, batch: PageBatch): string {
  const took = ((batch.ended ?? page.run.seconds * 1000) - batch.started) / 1000;
  const gates = batchGates(page, batch).map(
    (gate) => `gate ${gateStatus(page, gate)} after ${count(gate.rounds, 'round')}`,
  );
  const failed = batch.failed > 0 ? [`${grouped(batch.failed)} failed`] : [];
  return [count(batch.controllers.length, 'controller'), elapsed(took), ...failed, ...gates].join(', ');
}

/** A gate ends with its run, if not before. */
function gateStatus({ run, facts }: Page, { status }: PageGate): PageGate['status'] | 'interrupted' {
  const isOver = run.status !== 'running' || facts.cutOff === true;
  return status === 'running' && isOver ? 'interrupted' : status;
}

interface BarProps {
  readonly page: Page;
  readonly span: { readonly started: number; readonly ended: number | null };
  readonly name: string;
  /** The share of controllers that failed. */
  readonly failed?: number;
}

function Bar({ page, span: { started, ended }, name, failed = 0 }: BarProps): JSX.Element {
  const all = Math.max(1, page.run.seconds * 1000);
  const to = ended ?? all;
  return (
    <span class={name} style={{ left: `${(started / all) * 100}%`, width: `${((to - started) / all) * 100}%` }}>
      {failed > 0 && <span class="failed" style={{ width: `max(3px, ${failed * 100}%)` }} />}
    </span>
  );
}

interface ChartProps {
  readonly title: string;
  readonly peak: string;
  readonly values: Float64Array;
}

function Chart({ title, peak, values }: ChartProps): JSX.Element {
  const most = Math.max(...values, Number.EPSILON);
  const points = [...values].map(
    (value, at) => `${at},${(40 - (value / most) * 38).toFixed(1)} ${at + 1},${(40 - (value / most) * 38).toFixed(1)}`,
  );
  return (
    <figure class="lane">
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${values.length} 40`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} over time, ${peak}`}
      >
        <polygon points={`0,40 ${points.join(' ')} ${values.length},40`} />
      </svg>
      <span class="dim">{peak}</span>
    </figure>
  );
}

/** Percentiles of the times of each step. */
function TaskTimes({ view: { page }, times: { steps }, onOpen }: TimesProps): JSX.Element {
  const longest = [...steps].sort((a, b) => b.p90 - a.p90).slice(0, MOST_TASKS);
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Times of tasks">
      <table>
        <caption>How long tasks took</caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Times</th>
            <th scope="col">Median</th>
            <th scope="col">90 %</th>
            <th scope="col">99 %</th>
            <th scope="col">Longest</th>
            <th scope="col">On</th>
          </tr>
        </thead>
        <tbody>
          {longest.map(({ column, times: number, median, p90, p99, longest: most, slowest }) => (
            <tr key={column}>
              <th scope="row">{page.columns[column]?.task}</th>
              <td data-name="Times">{grouped(number)}</td>
              <td data-name="Median">{elapsed(median)}</td>
              <td data-name="90 %">{elapsed(p90)}</td>
              <td data-name="99 %">{elapsed(p99)}</td>
              <td data-name="Longest">{elapsed(most)}</td>
              <td data-name="On">
                <button type="button" class="name" onClick={() => onOpen(slowest, column)}>
                  {page.controllers[slowest]}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Slowest({ view, times: { slowest }, onOpen }: TimesProps): JSX.Element {
  return (
    <div>
      <h3>Slowest controllers</h3>
      <ol class="slowest">
        {slowest.map(([row, seconds]) => (
          <li class="nowrap" key={row}>
            <button type="button" class="name" onClick={() => onOpen(row, undefined)}>
              {view.page.controllers[row]}
            </button>{' '}
            <span class="dim">{elapsed(seconds)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
