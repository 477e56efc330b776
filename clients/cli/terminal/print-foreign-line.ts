import { printLine } from './print-answer.ts';

/** Prints a line with third-party text, such as a contract's revert, without unprintable characters. */
export function printForeignLine(text: string): void {
  printLine(text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\u{fffd}'));
}
