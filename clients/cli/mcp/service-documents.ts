import { policyFilePath } from '@tollfree/contract/policy-file';
import { tryAgain } from '../terminal/cli-error.ts';

/** Longest wait for a document, in milliseconds, and its longest text, in characters. */
const timeoutMs = 10_000;
const maxCharacters = 1_000_000;

/** A page of the service's documentation. `path` is relative to the service, like `/docs/limits.md`. */
export type DocumentedPage = { readonly path: string; readonly title: string; readonly about: string };

/** The pages of the service's own documentation, of the version that runs. */
export async function listPages(baseUrl: string): Promise<readonly DocumentedPage[]> {
  const index = await readDocument(baseUrl, '/llms.txt');
  return [...index.matchAll(/^- \[(?<title>[^\]]+)\]\((?<path>\/docs\/[\w./-]+\.md)\): (?<about>.*)$/gm)].map(
    ({ groups: { title = '', path = '', about = '' } = {} }) => ({ path, title, about }),
  );
}

/** JSON Schema of a policy file, with the policy's fields. */
export async function readPolicySchema(baseUrl: string): Promise<unknown> {
  return JSON.parse(await readDocument(baseUrl, policyFilePath));
}

/** A public document of the service. */
export async function readDocument(baseUrl: string, path: string): Promise<string> {
  const response = await fetch(new URL(path, baseUrl), {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined);
  const text = response?.ok === true ? await response.text() : undefined;
  if (text === undefined) throw tryAgain(`The service did not return ${path}.`);
  return text.slice(0, maxCharacters);
}
