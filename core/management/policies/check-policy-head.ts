import {
  maxNameLength,
  maxPolicyDescription,
  maxPolicyIcon,
  policyIconForm,
  unprintable,
} from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { PolicyHead } from '../../domain/policies/named-policy.ts';
import { checkName, invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';

/** The head of a named policy; `INVALID_FIELD` for text that must not be shown to users. */
export function checkPolicyHead(head: PolicyHead): Result<PolicyHead> {
  const { name, description, author, icon, enabled } = head;
  const named = checkName(name);
  if (!named.ok) return named;
  if (description !== undefined && (description.length > maxPolicyDescription || unprintable.test(description))) {
    return invalidField('description', `must be a string of at most ${maxPolicyDescription} printable characters`);
  }
  if (author !== undefined && !checkName(author).ok) {
    return invalidField('author', `must be a string of 1 to ${maxNameLength} printable characters`);
  }
  if (icon !== undefined && (icon.length > maxPolicyIcon || !policyIconForm.test(icon))) {
    return invalidField('icon', `must be a data URI of an image with at most ${maxPolicyIcon} characters`);
  }
  return accept({ name, enabled, ...omitAbsent({ description, author, icon }) });
}
