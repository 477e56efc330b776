import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const form = /^[A-Za-z0-9_-]{9}\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A new apiKey, `<9 characters of base64url>.<uuid v4>`: 53.9 + 122 random bits. It begins with a letter or a digit, since a
 * command line takes what begins with `-` for a flag.
 */
export function generateApiKey(): string {
  const first = lettersAndDigits[randomInt(lettersAndDigits.length)];
  return `${first}${randomBytes(6).toString('base64url')}.${randomUUID()}`;
}

/** Whether the text has the form of an apiKey. Says nothing about whether it is one. */
export function isWellFormedApiKey(text: string): boolean {
  return form.test(text);
}
