export type Locale = "en" | "de";

const TEXTS = {
  total: { en: "Total", de: "Summe" },
  discount: { en: "Offer", de: "Angebot" },
  tax: { en: "Tax included", de: "MwSt. enthalten" },
  welcome: { en: "Touch to begin", de: "Zum Start tippen" },
  soldOut: { en: "Sold out", de: "Ausverkauft" },
  thanks: { en: "Your number is {n}", de: "Ihre Nummer ist {n}" },
} as const;

export type TextKey = keyof typeof TEXTS;

export function translate(key: TextKey, locale: Locale, n?: number): string {
  return TEXTS[key][locale].replace("{n}", String(n ?? ""));
}

export function localeFrom(tag: string): Locale {
  return tag.toLowerCase().startsWith("de") ? "de" : "en";
}
