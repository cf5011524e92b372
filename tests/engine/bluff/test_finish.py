from engine.bluff.finish import Exit, cntdice, finishing_order


def test_b12_seats_out_in_the_same_challenge_share_a_rank() -> None:
    assert finishing_order((0, 3, 0, 0), [Exit((2,), 5), Exit((0, 3), 15)]) == (2, 1, 4, 2)


def test_b12_out_later_is_better() -> None:
    assert finishing_order((0, 0, 4), [Exit((1,), 6), Exit((0,), 11)]) == (2, 3, 1)


def test_b13_a_seat_scores_the_dice_gone_when_it_went_out_and_the_last_one_scores_all() -> None:
    assert cntdice((0, 2, 0, 0), 5, [Exit((2,), 7), Exit((0, 3), 18)]) == (18, 20, 7, 18)
