import { Agent, setGlobalDispatcher } from 'undici';

// A request on a connection that n8n closes at the same moment would fail.
setGlobalDispatcher(new Agent({ pipelining: 0 }));
