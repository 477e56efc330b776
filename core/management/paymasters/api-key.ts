import { randomBytes, randomUUID } from 'node:crypto';

const form = /^[A-Za-z0-9_-]{9}\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A new apiKey, `<9 characters of base64url>.<uuid v4>`: 54 + 122 random bits. */
export function generateApiKey(): string {
  return `${randomBytes(7).toString('base64url').slice(0, 9)}.${randomUUID()}`;
}

/** Whether the text has the form of an apiKey. Says nothing about whether it is one. */
export function isWellFormedApiKey(text: string): boolean {
  return form.test(text);
}
