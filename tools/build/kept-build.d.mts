/** Differs when a file at or below one of the paths, seen from the repository, does. */
export function digestOf(paths: readonly string[]): string;
/** Whether the folder is a complete build of sources with this digest. */
export function isKept(folder: string, digest: string): boolean;
/** Where a build writes before `keep` puts it in its place. */
export function draftOf(folder: string): string;
/** Puts a complete build in its place. */
export function keep(draft: string, folder: string, digest: string): void;
