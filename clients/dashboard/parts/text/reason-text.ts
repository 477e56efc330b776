/** A refusal reason in words: `METHOD_NOT_WHITELISTED` is “Method not whitelisted”. */
export function reasonText(reason: string): string {
  const words = reason.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replaceAll(/\b(api|url|usd|erc20)\b/gi, (word) =>
    word.toUpperCase(),
  );
}
