declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the package that a run has installed beside the repository. */
    installed: string;
  }
}

export {};
