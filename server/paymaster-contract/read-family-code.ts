import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Hex, keccak256 } from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { FamilyCode, PublishedCode } from './family-code.ts';

/**
 * The creation code of a family without arguments: included in the program, or from a package next to the program or in the
 * `node_modules` of the working directory. The program does not include these packages: some of their contracts are under
 * the GPL.
 */
export function readFamilyCode(family: string, code: FamilyCode): Hex {
  if ('creationCode' in code) return code.creationCode;
  const text = findText(code);
  if (text === undefined) {
    throw mistake(
      `The code of ${family} is in an npm package that is not installed. Install it: npm install --no-save ${code.install}`,
    );
  }
  const creationCode = readSafely(code, text);
  if (creationCode !== undefined && keccak256(creationCode) === code.codeHash) return creationCode;
  throw mistake(
    `The installed package ${code.packageName} does not have the published code of ${family}. Install ${code.install}.`,
  );
}

function readSafely(code: PublishedCode, text: string): Hex | undefined {
  try {
    return code.read(text);
  } catch {
    return undefined;
  }
}

function findText({ packageName, file }: PublishedCode): string | undefined {
  const places = [import.meta.url, join(process.cwd(), 'any.js')].flatMap(
    (from) => createRequire(from).resolve.paths(packageName) ?? [],
  );
  for (const location of places) {
    try {
      return readFileSync(join(location, packageName, file), 'utf8');
    } catch {
      // It may be in the next one.
    }
  }
  return undefined;
}
