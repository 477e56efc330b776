import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { entryPointFlag, type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { findFamily } from './configured-contract.ts';
import { usualFamilies } from './usual-families.ts';

/** The family that `--family` names, else the usual one of `--entry-point`; undefined without both. */
export function familyFlag(flags: Flags): string | undefined {
  const family = textFlag(flags, 'family');
  const version = entryPointFlag(flags);
  if (version === undefined) return family;
  if (family === undefined) return usualFamilies[version];
  if (findFamily(family).entryPointVersion === version) return family;
  throw mistake(`${family} is not for EntryPoint ${version}. Leave out --family or --entry-point.`);
}
