package dev.fencedoutbox.it.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fencedoutbox.it.app.OrderPlaced;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderFileTest {
  @TempDir Path directory;

  @Test
  void read_malformedRows_areToldByLineAndTheRestGoesOn() throws IOException {
    OrderFile.Contents contents =
        OrderFile.read(
            file(
                """
                id,customer,amount
                1,Ann,10.50

                2,Ben
                3,"Cora" Doe,1.00
                4,"Dan,1.00
                5,"Eve, Inc.",7
                ,Finn,1.00
                7,,1.00
                8,Gus,ten
                9,Hal,-1.00
                10,Ida,0.00
                11,Jo,1.005
                12,Kim,1e3
                13,Lea,2.00,more
                14,Max,9999999999.99
                """));

    assertThat(contents.orders())
        .containsExactly(
            new OrderFile.Row(2, order("1", "Ann", "10.50")),
            new OrderFile.Row(7, order("5", "Eve, Inc.", "7")),
            new OrderFile.Row(16, order("14", "Max", "9999999999.99")));
    assertThat(contents.skipped())
        .containsExactly(
            new OrderFile.Skipped(4, "2 columns instead of 3"),
            new OrderFile.Skipped(5, "not CSV, is a quote left open or followed by text?"),
            new OrderFile.Skipped(6, "not CSV, is a quote left open or followed by text?"),
            new OrderFile.Skipped(8, "id is empty"),
            new OrderFile.Skipped(9, "customer is empty"),
            noNumber(10, "ten"),
            noNumber(11, "-1.00"),
            new OrderFile.Skipped(12, "amount is zero"),
            noNumber(13, "1.005"),
            noNumber(14, "1e3"),
            new OrderFile.Skipped(15, "4 columns instead of 3"));
    assertThat(contents.rows()).isEqualTo(14);
  }

  @Test
  void read_textThatCannotBeStored_isSkipped() throws IOException {
    Path file = directory.resolve("orders.csv");
    Files.writeString(
        file,
        "id,customer,amount\n1,Ren\u00e9,1\n2,a\u0000b,1\n3,Ann,1\n4," + "x".repeat(201) + ",1\n",
        StandardCharsets.ISO_8859_1);

    OrderFile.Contents contents = OrderFile.read(file);

    assertThat(contents.orders()).containsExactly(new OrderFile.Row(4, order("3", "Ann", "1")));
    assertThat(contents.skipped())
        .containsExactly(
            new OrderFile.Skipped(2, "customer is not UTF-8"),
            new OrderFile.Skipped(3, "customer holds a control character"),
            new OrderFile.Skipped(5, "customer has 201 characters and may have 200"));
  }

  @Test
  void read_columnsInAnotherOrderAndMore_areFoundByName() throws IOException {
    OrderFile.Contents contents =
        OrderFile.read(file("\uFEFFAmount, note ,customer,ID\r\n3.20,urgent,Ann,17\r\n"));

    assertThat(contents.orders()).containsExactly(new OrderFile.Row(2, order("17", "Ann", "3.20")));
  }

  @Test
  void read_noHeader_saysWhichColumnIsMissing() throws IOException {
    Path file = file("1,Ann,10.50\n");

    assertThatThrownBy(() -> OrderFile.read(file))
        .isInstanceOf(UnusableInput.class)
        .hasMessage(
            "The orders file %s needs the header id,customer,amount on its first line: it has no column \"id\" in [1, ann, 10.50]. Nothing was started."
                .formatted(file));
  }

  @Test
  void read_columnNamedTwice_isNotGuessed() throws IOException {
    Path file = file("id,customer,amount,amount\n1,Ann,1.00,2.00\n");

    assertThatThrownBy(() -> OrderFile.read(file))
        .hasMessageContaining("it has more than one column \"amount\"");
  }

  @Test
  void read_emptyFile_needsTheHeader() throws IOException {
    Path file = file("");

    assertThatThrownBy(() -> OrderFile.read(file))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("needs the header");
  }

  @Test
  void read_noOrderInIt_namesTheFirstReason() throws IOException {
    Path file = file("id,customer,amount\n1,Ann\n");

    assertThatThrownBy(() -> OrderFile.read(file))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining(
            "holds no order: 1 rows, all malformed, the first on line 2: 2 columns instead of 3");
  }

  @Test
  void read_missingFileOrDirectory_cannotBeRead() {
    for (Path unreadable : new Path[] {directory.resolve("none.csv"), directory}) {
      assertThatThrownBy(() -> OrderFile.read(unreadable))
          .isInstanceOf(UnusableInput.class)
          .hasMessageStartingWith("The orders file " + unreadable + " cannot be read: ");
    }
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("orders.csv"), text);
  }

  private static OrderPlaced order(String id, String customer, String amount) {
    return new OrderPlaced(id, customer, new BigDecimal(amount));
  }

  private static OrderFile.Skipped noNumber(long line, String amount) {
    return new OrderFile.Skipped(
        line, "amount \"%s\" is not a number such as 12.50, up to 9999999999.99".formatted(amount));
  }
}
