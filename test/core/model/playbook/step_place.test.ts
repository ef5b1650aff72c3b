import { expect } from 'chai';
import {
  areaName,
  cleanupArea,
  comparePositions,
  gateArea,
  isArea,
  isBelow,
  isCleanupPlace,
  isFurther,
  isRollback,
  placeIn,
  playArea,
  positionIn,
  rollbackArea,
  usualPlace,
} from '../../../../src/core/model/playbook/step_place.js';

describe('the place of a step', () => {
  it('is an area and a position in it', () => {
    expect([playArea(2), gateArea('2:'), rollbackArea(2, 3), cleanupArea('2:')]).to.deep.equal([
      '2:',
      '2:gate/',
      '2:rollback/3/',
      '2:cleanup/',
    ]);
    expect(placeIn('2:gate/', [4, 0, 1])).to.equal('2:gate/4.0.1');
    for (const [place, area, position] of [
      ['2:4.0.1', '2:', [4, 0, 1]],
      ['12:gate/7', '12:gate/', [7]],
      ['0:rollback/cleanup/0', '0:rollback/cleanup/', [0]],
    ] as const) {
      expect([areaName(place), positionIn(area, place)]).to.deep.equal([area, position]);
      expect([isArea(place), isArea(area)]).to.deep.equal([false, true]);
    }
    expect(positionIn('2:', '3:4')).to.equal(undefined);
    expect(positionIn('2:', '2:gate/4')).to.equal(undefined);
    expect(positionIn('2:', '2:')).to.equal(undefined);
  });

  it('is one of a rollback, of whichever batch', () => {
    expect(['2:rollback/3/0', '12:rollback/1/cleanup/0', '2:0', '2:gate/0'].map(isRollback)).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
  });

  it('is one of a cleanup only within its area', () => {
    expect(['2:cleanup/4.0', '2:4.0', '2:cleanup/'].map(isCleanupPlace)).to.deep.equal([true, false, true]);
    expect(usualPlace('2:cleanup/4.0')).to.equal('2:4.0');
  });

  it('is below itself, what it is inside of, and its area', () => {
    const below = (place: string, above: string) => isBelow(place, above);
    expect([below('2:4', '2:4'), below('2:4.1', '2:4'), below('2:4.1', '2:'), below('2:41', '2:4')]).to.deep.equal([
      true,
      true,
      true,
      false,
    ]);
    expect([below('2:4', '2:4.1'), below('21:4', '2:')]).to.deep.equal([false, false]);
  });

  it('is compared from left to right, the content of a step after the step', () => {
    const order = [[0], [0, 0], [0, 1], [0, 1, 0], [0, 2], [1], [2, 0], [10]];
    for (const [index, one] of order.entries())
      for (const [other, two] of order.entries())
        expect(Math.sign(comparePositions(one, two)), `${one.join('.')} and ${two.join('.')}`).to.equal(
          Math.sign(index - other),
        );
    expect([isFurther('2:1', '2:0.5'), isFurther('2:0.5', '2:1'), isFurther('2:1', '2:1')]).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(isFurther('2:gate/3', '2:gate/2')).to.equal(true);
  });
});
