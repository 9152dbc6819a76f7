/** Where Loci is, and whom the tools act for. */
export interface Settings {
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
}

export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** What each variable of the environment is sent as. */
const HEADERS = { MM_ORG_ID: 'org-id', MM_PROJ_ID: 'proj-id', MM_USER_ID: 'user-id' };

/** @throws Error that names `LOCI_URL` when that is no URL */
export function settingsOf(env: NodeJS.ProcessEnv): Settings {
  const url = env['LOCI_URL'] ?? DEFAULT_URL;
  if (!/^https?:/.test(url) || !URL.canParse(url))
    throw new Error('LOCI_URL should be a URL like http://127.0.0.1:8080.');
  const token = env['LOCI_API_KEY'];
  const ids = Object.entries(HEADERS).flatMap(([variable, header]): [string, string][] => {
    const value = env[variable];
    return value === undefined || value === '' ? [] : [[header, value]];
  });
  return {
    endpoint: new URL('mcp', url.endsWith('/') ? url : `${url}/`),
    headers: { ...Object.fromEntries(ids), ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  };
}
