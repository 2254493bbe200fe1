/** Amounts: which currency or unit a number has, and how it is written. Pure. */
import { type Locale, regional } from "../../i18n/index.js";
import type { Schema } from "./schema.js";

export interface Unit {
  name: string;
  isCurrency: boolean;
}

/** The unit that a schema names under `x-unit`, or `unit`; three capitals, such as `EUR`, are a currency. */
export function unitOf(schema: Schema): Unit | undefined {
  const name = schema["x-unit"] ?? schema.unit;
  return typeof name === "string" && name !== "" ? { name, isCurrency: /^[A-Z]{3}$/.test(name) } : undefined;
}

/** A number as people write it: "€200.00", "12 kg". Without a unit it is its digits. */
export function amountText(value: number, schema: Schema, locale: Locale): string {
  const unit = unitOf(schema);
  if (unit === undefined) return String(value);
  if (!unit.isCurrency) return `${new Intl.NumberFormat(regional(locale)).format(value)} ${unit.name}`;
  return new Intl.NumberFormat(regional(locale), { style: "currency", currency: unit.name }).format(value);
}

/** The sign of a currency, or its code where it has none. */
export function symbolOf(currency: string, locale: Locale): string {
  const parts = new Intl.NumberFormat(regional(locale), { style: "currency", currency, currencyDisplay: "narrowSymbol" }).formatToParts(0);
  return parts.find(({ type }) => type === "currency")?.value ?? currency;
}
