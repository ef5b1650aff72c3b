import { expect } from 'chai';
import { LazyMapping, type Value } from '../../src/core/model/values/value.js';
import { LEVELS, type VariableLayer } from '../../src/core/model/values/variables.js';
import { renderText } from '../../src/language/render.js';
import { TemplateError } from '../../src/language/runtime/errors.js';
import { Variables } from '../../src/language/scope.js';
import { failure, HERE, layer, variables } from './scopes.js';

class Magic extends LazyMapping {
  asked: string[] = [];

  get(key: string): Value | undefined {
    this.asked.push(key);
    return key === 'inventory_hostname' ? '{{lb}}1' : undefined;
  }

  keys(): Iterable<string> {
    return ['inventory_hostname'];
  }
}

describe('variables', () => {
  it('come from the strongest level, in any order of the layers', () => {
    const layers = LEVELS.map((level) => layer({ x: level, [level]: 1 }, level));
    expect(new Variables(layers.toReversed()).get('x')).to.equal('magic');
    for (const [index, level] of LEVELS.entries()) {
      expect(new Variables(layers.slice(0, index + 1)).get('x')).to.equal(level);
    }
  });

  it('come from the later layer within a level, and from the child before the parent', () => {
    expect(new Variables([layer({ x: 1 }), layer({ x: 2 })]).get('x')).to.equal(2);
    expect(
      variables({ x: 1 })
        .child([layer({ x: 2 })])
        .get('x'),
    ).to.equal(2);
  });

  it("come from a parent whose level is higher than the child's", () => {
    const parent = new Variables([layer({ x: 'extra' }, 'extra vars'), layer({ y: 'play' })]);
    const child = parent.child([layer({ x: 'task', y: 'task' }, 'task vars')]);
    expect([child.get('x'), child.get('y')]).to.deep.equal(['extra', 'task']);
    expect(child.child([layer({ x: 'item' }, 'magic')]).get('x')).to.equal('item');
  });

  it('are rendered in the scope that looks them up', () => {
    const play = variables({ url: 'https://{{item}}/', name: '{{url}}x' });
    const item = (value: string): Variables => play.child([layer({ item: value }, 'magic')]);
    expect(item('a').get('name')).to.equal('https://a/x');
    expect(item('b').get('name')).to.equal('https://b/x');
  });

  it('are rendered only along a path', () => {
    const scope = variables({
      config: { host: 'lb', port: 1, url: 'http://{{config.host}}:{{config.port}}', broken: '{{missing}}' },
    });
    expect(renderText('{{config.url}}', scope)).to.equal('http://lb:1');
    expect(() => renderText('{{config}}', scope)).to.throw(
      TemplateError,
      'variable "missing" is not defined (from "config")',
    );
  });

  it('can be reached through keys with templates', () => {
    expect(renderText('{{ports.prod}}', variables({ env: 'prod', ports: { '{{env}}': 443 } }))).to.equal(443);
  });

  it('are never rendered in literal layers', () => {
    const result: VariableLayer = {
      level: 'set_fact and registered',
      values: { r: { msg: '{{x}}' } },
      origin: 'registered',
      literal: true,
    };
    const scope = variables({ x: 1, y: '{{r.msg}}' }).child([result]);
    expect(scope.get('r')).to.deep.equal({ msg: '{{x}}' });
    expect(scope.get('y')).to.equal('{{x}}');
  });

  it('are strongest if they are magic, and are passed on without rendering', () => {
    const magic = new Magic();
    const scope = new Variables([layer({ inventory_hostname: 'x', lb: 'y' }, 'extra vars')], undefined, magic);
    expect(scope.child([]).get('inventory_hostname')).to.equal('{{lb}}1');
    expect([...new Set(scope.child([layer({ z: 1 })]).names())]).to.deep.equal(['inventory_hostname', 'z', 'lb']);
  });

  it('have their position', () => {
    const scope = variables({ x: 1 }).child([layer({ x: 2 }, 'task vars', 'task.yml')]);
    expect(scope.findSource('x')).to.deep.equal({ file: 'task.yml', line: 1, column: 1 });
    expect(scope.findSource('y')).to.equal(undefined);
    expect(scope.find('x')).to.deep.include({ value: 2 });
  });

  it('never come from a prototype', () => {
    const scope = variables({ config: { a: 1 }, list: [], text: '' });
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
      expect(scope.get(name)).to.equal(undefined);
      for (const variable of ['config', 'list', 'text']) expect(scope.reach([variable, name])).to.equal(undefined);
    }
  });

  it('are errors at their position if they refer to themselves', () => {
    const scope = variables({ a: '{{b}}', b: 'x{{c}}', c: ['{{a}}'], self: '{{self | default(1)}}' });
    expect(failure(() => renderText('{{a}}', scope, HERE))).to.deep.include({
      message: 'variables refer to each other in a circle: a → b → c → a',
      source: { file: 'vars.yml', line: 2, column: 1 },
    });
    expect(failure(() => renderText('{{self}}', scope, HERE))).to.include({
      message: 'variable "self" refers to itself',
    });
    const outside = variables({ z: '{{y}}', y: '{{a}}', a: '{{b}}', b: '{{a}}' });
    expect(failure(() => renderText('{{z}}', outside, HERE))).to.include({
      message: 'variables refer to each other in a circle: a → b → a (from "z" → "y")',
    });
  });

  it('are errors if they need an undefined variable: the message has the chain and the position', () => {
    const scope = variables({ a: '{{b}}', b: '{{nowhere}}' });
    expect(failure(() => renderText('{{a}}', scope, HERE))).to.deep.include({
      message: 'variable "nowhere" is not defined (from "a" → "b")',
      undefinedName: 'nowhere',
      source: { file: 'vars.yml', line: 1, column: 1 },
    });
    expect(renderText('{{x}}', scope.child([layer({ x: '{{nowhere | default(1)}}' })]))).to.equal(1);
  });

  it('are errors that name the part on the way to another one', () => {
    const scope = variables({ pools: { web: '{{nowhere}}' }, own: { web: '{{own.web.port}}' } });
    expect(failure(() => renderText('{{pools.web.port}}', scope, HERE))).to.include({
      message: 'variable "nowhere" is not defined (from "pools.web")',
    });
    expect(failure(() => renderText('{{own.web.port}}', scope, HERE))).to.include({
      message: 'variable "own.web" refers to itself',
    });
  });

  it('can be looked up again after a failure', () => {
    const scope = variables({ a: '{{b}}', b: '{{nowhere}}' });
    const first = failure(() => scope.get('a'));
    expect(failure(() => scope.get('a'))).to.include({ message: first instanceof Error ? first.message : '' });
  });

  it('are undefined if their template uses an undefined variable, as in Ansible', () => {
    const scope = variables({ a: '{{nowhere}}', b: '{{a | upper}}' });
    expect(renderText('{{a | default(1)}} {{b | default(2)}} {{a is defined}}', scope)).to.equal('1 2 False');
  });

  it('are an error, not a crash, if they refer to each other endlessly through other controllers', () => {
    class Others extends LazyMapping {
      get(key: string): Value | undefined {
        return key === 'hostvars' ? this : scope().get(key);
      }

      keys(): Iterable<string> {
        return ['hostvars'];
      }
    }
    const scope = (): Variables => new Variables([layer({ x: '{{hostvars.x}}' })], undefined, new Hosts());
    class Hosts extends LazyMapping {
      get(key: string): Value | undefined {
        return key === 'hostvars' ? new Others() : undefined;
      }

      keys(): Iterable<string> {
        return ['hostvars'];
      }
    }
    const message = 'it is nested too deeply (from "x" → "x" → "x" → … → "x" → "x")';
    expect(failure(() => scope().get('x')))
      .to.be.instanceOf(TemplateError)
      .that.includes({ message });
  });

  it('can be missing at any depth if their name is computed', () => {
    const scope = variables({ hosts: { a: { x: 1 } }, other: 'b' });
    expect(renderText('{{hosts[other].x.y | default("none")}} {{hosts["a"].x}}', scope)).to.equal('none 1');
    expect(failure(() => renderText('{{hosts[other ~ "c"].x}}', scope, HERE))).to.include({
      message: 'there is no "bc" in a mapping',
    });
  });
});
