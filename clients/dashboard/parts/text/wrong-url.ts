/** What is wrong with a typed URL; undefined if it is one. Only the service knows which hosts and schemes it may call. */
export function wrongUrl(text: string): string | undefined {
  return URL.canParse(text.trim()) ? undefined : 'Write the whole URL, such as https://example.com/path.';
}
