/** A fenced block of a page: its language, what follows that, its code without the indentation of a list, and its first line from 1. */
export type Fence = { readonly language: string; readonly info: string; readonly code: string; readonly line: number };

/** The fenced blocks of a text in Markdown, in order. */
export function readFences(text: string): readonly Fence[] {
  return [...text.matchAll(/^( *)```(\w*)([^\n]*)\n([\s\S]*?)^ *```/gm)].map(
    ({ 1: indent = '', 2: language = '', 3: info = '', 4: code = '', index }) => ({
      language,
      info: info.trim(),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: text.slice(0, index).split('\n').length,
    }),
  );
}

/** Why no test runs a block: what its `norun="…"` says. Undefined where one runs it. */
export function whyNotRun({ info }: Fence): string | undefined {
  return /\bnorun="([^"]+)"/.exec(info)?.[1];
}
