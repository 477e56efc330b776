import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { readOwnFile } from './terminal/read-own-file.ts';

/** The file in which `tollfree use` keeps its choice, relative to the working directory. It holds no secret. */
const chosenFile = '.tollfree/use.json';

const ChosenSchema = z.object({ url: z.string(), paymasterId: z.string(), name: z.string() });
type Chosen = z.output<typeof ChosenSchema>;

/** The paymaster of the service at `url` that `tollfree use` chose in this folder; undefined if it chose none of that service. */
export function readChosenPaymaster(url: string): Chosen | undefined {
  const otherwise = `${chosenFile} is not a file of \`tollfree use\`. Delete it, or choose again.`;
  const chosen = readOwnFile(chosenFile, ChosenSchema, otherwise);
  return chosen?.url === url ? chosen : undefined;
}

/** Keeps the choice for commands that run in this folder and name no paymaster. */
export function writeChosenPaymaster(chosen: Chosen): void {
  mkdirSync(dirname(chosenFile), { recursive: true });
  writeFileSync(chosenFile, `${JSON.stringify(chosen)}\n`);
}
