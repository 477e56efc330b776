/** A digest of all files at or below the paths, relative to the repository. */
export function digestOf(paths: readonly string[]): string;
/** Whether the folder is a complete build of sources with this digest. */
export function isKept(folder: string, digest: string): boolean;
/** The folder a build writes to before `keep` moves it into place. */
export function draftOf(folder: string): string;
/** Moves a complete build into place. */
export function keep(draft: string, folder: string, digest: string): void;
