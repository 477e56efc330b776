import { z } from 'zod';
import { afterType } from '../fields/after-type.ts';
import { maxPolicyDescription, maxPolicyIcon, policyIconForm, unprintable } from '../limits.ts';
import { nameField, textField } from '../text-field.ts';

const iconError = { error: `icon must be a data URI of an image with at most ${maxPolicyIcon} characters` };

/** Name and presentation of a named policy, and whether requests may choose it. */
export const policyHeadFields = {
  name: nameField('name').describe('Unique per paymaster.'),
  description: textField('description', maxPolicyDescription)
    .refine((value) => !unprintable.test(value), { error: 'description must be printable characters' })
    .optional(),
  author: nameField('author').optional().describe('Name of the sponsor, shown to users. Absent: the paymaster’s name.'),
  icon: z
    .string({ error: 'icon must be a string' })
    .check(afterType(z.maxLength(maxPolicyIcon, iconError)))
    .regex(policyIconForm, iconError)
    .optional()
    .describe('Icon shown to users, as a data URI (RFC 2397), as ERC-7677 requires.'),
  enabled: z
    .boolean({ error: 'enabled must be a boolean value' })
    .default(true)
    .describe('Requests may choose the policy. Any caller who knows its id can.'),
};
