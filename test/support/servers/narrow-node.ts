import { forward, type RpcRequest, type RpcServer, respond, startRpcServer } from './json-rpc-server.ts';

/** A node that simulates a bounded number of operations at a time, and lets the others wait for one of them. */
export type NarrowNode = RpcServer & {
  /** Begins a search without end for whatever names `text`, until {@link NarrowNode.giveUp}. */
  searchLongFor(text: string): void;
  /** Long searches under way. */
  searching(): number;
  /** Most of them that were under way at once. */
  mostSearches(): number;
  /** Ends the long searches, and begins no further one. */
  giveUp(): void;
};

/** Hands on what it is asked to a real node; of simulations, which override state, at most `atOnce` at a time. */
export async function startNarrowNode(nodeUrl: string, atOnce: number): Promise<NarrowNode> {
  let [free, searches, most] = [atOnce, 0, 0];
  const waiting: (() => void)[] = [];
  let longSearch: { readonly text: string; readonly given: Promise<void> } | undefined;
  let giveUp = () => {};

  async function enter(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  async function simulate(request: RpcRequest): Promise<unknown> {
    await enter();
    if (longSearch !== undefined && JSON.stringify(request.params).toLowerCase().includes(longSearch.text)) {
      searches += 1;
      most = Math.max(most, searches);
      await longSearch.given;
      searches -= 1;
    }
    return forward(nodeUrl, request).finally(leave);
  }

  const server = await startRpcServer(async (request, response) => {
    const isSimulation = request.method === 'eth_call' && request.params.length > 2;
    respond(response, await (isSimulation ? simulate(request) : forward(nodeUrl, request)));
  });
  return {
    ...server,
    searchLongFor: (text) => {
      const given = new Promise<void>((resolve) => {
        giveUp = resolve;
      });
      longSearch = { text: text.toLowerCase(), given };
    },
    searching: () => searches,
    mostSearches: () => most,
    giveUp: () => {
      giveUp();
      longSearch = undefined;
    },
  };
}
