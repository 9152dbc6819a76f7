const PAGE_SIZE = 1000;

/** Goes through the entries of all pages. */
export async function* pages<Entry>(
  read: (page: { readonly page_size: number; readonly page_num: number }) => Promise<readonly Entry[]>,
): AsyncGenerator<Entry, void> {
  for (let page_num = 0; ; page_num += 1) {
    const page = await read({ page_size: PAGE_SIZE, page_num });
    yield* page;
    if (page.length < PAGE_SIZE) return;
  }
}
