declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the package that a run has installed next to the repository. */
    installed: string;
  }
}

export {};
