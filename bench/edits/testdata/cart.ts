import { readFile } from "node:fs/promises";

export interface Line {
  name: string;
  price: number; // in cents
  count: number;
}

export type Rate = (line: Line) => number;

const flat: Rate = (line) => (line.price > 10_000 ? 0.19 : 0.07);

export class Cart {
  private lines: Line[] = [];

  constructor(private readonly rate: Rate = flat) {}

  add(line: Line): this {
    const known = this.lines.find((l) => l.name === line.name);
    if (known) {
      known.count += line.count;
      return this;
    }
    this.lines.push({ ...line });
    return this;
  }

  remove(name: string): boolean {
    const at = this.lines.findIndex((l) => l.name === name);
    if (at < 0) {
      return false;
    }
    this.lines.splice(at, 1);
    return true;
  }

  get total(): number {
    return this.lines.reduce((sum, line) => {
      const net = line.price * line.count;
      return sum + Math.round(net * (1 + this.rate(line)));
    }, 0);
  }

  toString(): string {
    return this.lines
      .map((line) => `${line.count} x ${line.name}: ${(line.price / 100).toFixed(2)}`)
      .join("\n");
  }
}

export async function load(path: string): Promise<Cart> {
  const cart = new Cart();
  const text = await readFile(path, "utf8");
  for (const row of text.split("\n")) {
    if (row.trim() === "" || row.startsWith("#")) {
      continue;
    }
    const [name, price, count] = row.split(";");
    if (!name || Number.isNaN(Number(price))) {
      throw new Error(`row "${row}" isn't "name;price;count"`);
    }
    cart.add({ name, price: Number(price), count: Number(count ?? 1) });
  }
  return cart;
}
