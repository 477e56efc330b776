import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

export const root = resolve(import.meta.dirname, '../..');

/** Folders of the packages, in the order of their dependencies. They are released together. */
export const packageFolders = ['contract', 'clients/sdk', '.'] as const;

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  repository: z.object({ url: z.string() }).optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;

export function readManifest(folder: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));
}
