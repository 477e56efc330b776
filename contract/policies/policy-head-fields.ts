import { z } from 'zod';
import { afterType } from '../fields/after-type.ts';
import { maxPolicyDescription, maxPolicyIcon, policyIconForm, unprintable } from '../limits.ts';
import { nameField, textField } from '../text-field.ts';

const iconError = { error: `icon must be a data URI of an image with at most ${maxPolicyIcon} characters` };

/** What a named policy is called, and whether requests may choose it. */
export const policyHeadFields = {
  name: nameField('name').describe('Unique per paymaster.'),
  description: textField('description', maxPolicyDescription)
    .refine((value) => !unprintable.test(value), { error: 'description must be printable characters' })
    .optional(),
  author: nameField('author')
    .optional()
    .describe('Who sponsors, to show to users. The paymaster’s name stands for it.'),
  icon: z
    .string({ error: 'icon must be a string' })
    .check(afterType(z.maxLength(maxPolicyIcon, iconError)))
    .regex(policyIconForm, iconError)
    .optional()
    .describe('A picture to show to users, as a data URI (RFC 2397) that ERC-7677 asks for.'),
  enabled: z
    .boolean({ error: 'enabled must be a boolean value' })
    .default(true)
    .describe('Requests may choose it; any caller who knows the id can.'),
};
