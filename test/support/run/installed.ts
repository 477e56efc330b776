declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the package that a run has installed next to the repository. */
    installed: string;
    /** URL of a node of a public chain, from which a run copies published code; empty without one. */
    codeNode: string;
  }
}

export {};
