import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with the protocol files of the last release, as one image. */
export const releaseImageFolder = 'proto/releases';

/** The image of the last release, which `npm run release:image` writes. */
export function findReleaseImage(): string {
  const [image, ...others] = readdirSync(releaseImageFolder).filter((name) => name.endsWith('.binpb'));
  if (image === undefined || others.length > 0) throw new Error(`${releaseImageFolder} must hold exactly one image.`);
  return join(releaseImageFolder, image);
}
