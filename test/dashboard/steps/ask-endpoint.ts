/** How the endpoint answers a plain question with a key in its address: the reason of a refusal, else the HTTP status. */
export async function askEndpoint(url: string, origin?: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'pm_supportedEntryPoints', params: [] });
  const headers = { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) };
  const answer = await fetch(url, { method: 'POST', headers, body });
  const { error } = (await answer.json()) as { error?: { data?: { reason?: string } } };
  return error?.data?.reason ?? String(answer.status);
}
