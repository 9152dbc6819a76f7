/** What ended its process so many times in a row is set aside: no worker takes it up again until a person asks. */
export const MAX_UNFINISHED = 3;
