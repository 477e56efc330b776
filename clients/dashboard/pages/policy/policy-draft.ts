import { policySchema, withoutEmpty } from './field-schema.ts';

/**
 * A policy while it is edited. Any field may be unfinished, such as a limit without an amount, and there may be fields that only
 * the service knows.
 */
export type PolicyDraft = Readonly<Record<string, unknown>>;

/** What is sent of a draft. The version is no setting. */
export function contentOf(draft: PolicyDraft): PolicyDraft {
  const { etag: _, ...content } = (withoutEmpty(draft, policySchema) ?? {}) as PolicyDraft;
  return content;
}
