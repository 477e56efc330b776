import { fromWeiText } from '../../store/wei/wei-text.ts';

/** What is in a tank, held or not, in wei: what was put in minus what was taken out and spent. */
export function tankBalance(tank: {
  readonly funded: string;
  readonly shortfall: string;
  readonly settled: string;
}): bigint {
  return fromWeiText(tank.funded) - fromWeiText(tank.shortfall) - fromWeiText(tank.settled);
}
