import { expect } from 'chai';
import { renderText } from '../../../src/language/render.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { failure, HERE, variables } from '../scopes.js';

const scope = variables({
  nothing: null,
  no: false,
  empty: [],
  bare: {},
  names: ['a', 'b'],
  sizes: { small: 1, large: 2 },
  port: 443,
  site: { zone: 'eu' },
});

describe('{{#each}} and {{#with}}', () => {
  const table: readonly (readonly [text: string, rendered: string])[] = [
    ['{{#each names}}{{@index}}{{this}}{{#if @first}}<{{/if}}{{#if @last}}>{{/if}} {{/each}}', '0a< 1b> '],
    ['{{#each sizes}}{{@key}}={{this}} {{else}}none{{/each}}', 'small=1 large=2 '],
    ['{{#each sizes as |size name|}}{{name}}{{size}} {{/each}}', 'small1 large2 '],
    ['{{#each nothing}}x{{else}}none{{/each}}', 'none'],
    ['{{#each empty}}x{{else}}none{{/each}}', 'none'],
    ['{{#each bare}}x{{else}}none{{/each}}', 'none'],
    ['{{#each nothing}}x{{/each}}.', '.'],
    ['{{#with site}}{{zone}}{{else}}none{{/with}}', 'eu'],
    ['{{#with site as |where|}}{{where.zone}}{{/with}}', 'eu'],
    ['{{#with nothing}}x{{else}}none{{/with}}', 'none'],
    ['{{#with no}}x{{/with}}.', '.'],
  ];
  for (const [text, rendered] of table) {
    it(`${text} gives ${rendered}`, () => {
      expect(renderText(text, scope, HERE)).to.equal(rendered);
    });
  }

  it('refuses to repeat what is neither a list nor a mapping', () => {
    for (const [name, kind] of [
      ['port', 'the number 443'],
      ['no', 'false'],
    ] as const) {
      const error = failure(() => renderText(`{{#each ${name}}}x{{else}}none{{/each}}`, scope, HERE));
      expect(error).to.be.instanceOf(TemplateError);
      expect(error).to.have.property('message', `{{#each}} needs a list or a mapping, not ${kind}`);
    }
  });
});
