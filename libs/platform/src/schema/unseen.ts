const UNSEEN = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;

/** Whether a text is empty for a reader: there is nothing in it but blanks and what is not shown, such as spaces of no width. */
export const isUnseen = (text: string): boolean => UNSEEN.test(text);
